import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/fleetProject.ts';
import { type PostgresServer, startPostgres } from '../support/postgresServer.ts';
import { reviewProject } from '../support/reviewProject.ts';
import { sampleOf } from '../support/testSize.ts';

const LONG_MS = 120_000;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(() => server?.[Symbol.asyncDispose]());

describe('a server that goes away while work lands', { timeout: LONG_MS }, () => {
  it.each(sampleOf(['crash', 'orderly'] as const, (how) => how === 'crash'))(
    'and is back soon (%s): it lands once',
    async (how) => {
      await using review = await reviewProject(server.url);
      const id = await review.finish(`work ${how}`, { [`${how}.txt`]: 'x\n' });
      const hang = path.join(review.project.home, 'hang');
      writeFileSync(hang, '');
      const landing = review.start(['review', 'accept', id]);
      // its checks run
      await until(() => existsSync(`${hang}.seen`) || undefined);
      await server.restart(how);
      rmSync(hang);
      const end = await landing.ended;
      expect([end.code, review.landed(id)], end.stdout + end.stderr).toEqual([0, 1]);
      expect((await review.review(id)).state).toBe('landed');
      expect(review.leftovers()).toEqual([]);
    },
  );

  it('and stays away: it reports that, and `review land` lands it once', async () => {
    await using review = await reviewProject(server.url);
    const id = await review.finish('work away', { 'away.txt': 'x\n' });
    const hang = path.join(review.project.home, 'hang');
    writeFileSync(hang, '');
    const landing = review.start(['review', 'accept', id]);
    await until(() => existsSync(`${hang}.seen`) || undefined);
    await server.stop('crash');
    rmSync(hang);
    const end = await landing.ended;
    await server.start();
    expect(end.code, end.stdout + end.stderr).toBe(69);
    expect(review.leftovers()).toEqual([]);
    const again = await review.run('review', 'land');
    expect([again.code, review.landed(id)], again.stdout + again.stderr).toEqual([0, 1]);
    expect((await review.review(id)).state).toBe('landed');
  });
});
