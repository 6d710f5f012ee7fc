import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGit } from '../../git/git.ts';
import { openStore } from '../../store/openStore.ts';
import type { Store } from '../../store/types.ts';
import { available } from '../../store/unavailable.ts';
import { systemClock } from '../../system/clock.ts';
import { definedOnly } from '../../system/definedOnly.ts';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { halves } from './landGroup.ts';
import { leaseName } from './landingLease.ts';
import { landQueue } from './landQueue.ts';

/** A repository whose checks refuse a file called `red`, with one accepted attempt. */
async function acceptedWork({ file = 'work' } = {}) {
  const folder = await tempFolder();
  const { path: root } = folder;
  const env = { ...definedOnly(process.env), HOME: root, STOPGATE_TRUST_PROJECT: '1' };
  const cwd = path.join(root, 'repository');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, env, encoding: 'utf8' }).trim();
  execFileSync('git', ['init', '-q', '-b', 'main', cwd], { env });
  writeFileSync(path.join(cwd, 'stopgate.config.json'), '{"checks":[{"command":"test ! -e red"}]}');
  git('add', '.');
  git('commit', '-qm', 'first');
  git('checkout', '-qb', 'sg/one');
  git('commit', '-qm', 'work', '--allow-empty');
  writeFileSync(path.join(cwd, file), '');
  git('add', '.');
  git('commit', '-qm', 'work');
  git('checkout', '-q', '--detach', 'main');
  const store = (await openStore(path.join(root, 'tasks.db'))) as Store;
  await store.addTasks({ tasks: [{ title: 'x' }] });
  await store.registerWorker({ workerId: 'w' });
  const claimed = available(await store.claim({ workerId: 'w', incarnation: 1, claimKey: 'k' }));
  if (claimed.type !== 'claimed') throw new Error(JSON.stringify(claimed));
  const { lease } = claimed;
  await store.complete({ lease, result: '', details: { branch: 'sg/one', headCommit: git('rev-parse', 'sg/one') } });
  const place = { repository: 'here', folder: cwd, target: 'main' };
  await store.changeReview({
    ...{ taskId: lease.taskId, epoch: 1, from: ['waiting'], to: 'accepted', method: 'merge' },
    ...{ repository: 'here', target: 'main', reviewedCommit: git('rev-parse', 'sg/one') },
  });
  const processes = spawnProcesses({ env });
  const world = { processes, env, cwd, stopgateHome: path.join(root, 'home'), clock: systemClock };
  const said: string[] = [];
  const land = (at: (sentence: string) => void = () => {}) =>
    landQueue({
      ...{ store, world, git: openGit(world), place, actor: 'ann', settled: () => {} },
      report: (sentence) => {
        said.push(sentence);
        at(sentence);
      },
    });
  const review = async () =>
    available(await store.reviews({ states: ['accepted', 'landing', 'landed', 'returned'] })).reviews[0];
  const close = async () => {
    await store.close();
    await processes.endAll();
    await folder[Symbol.asyncDispose]();
  };
  return { root, git, store, place, land, review, said, [Symbol.asyncDispose]: close };
}

describe('a landing queue', { timeout: 60_000 }, () => {
  it('lands on the new tip when the branch was moved during the checks', async () => {
    await using work = await acceptedWork();
    const { git } = work;
    const other = git('commit-tree', 'main^{tree}', '-p', 'main', '-m', 'of the user');
    let isMoved = false;
    const end = await work.land((sentence) => {
      if (!isMoved && sentence.startsWith('the checks passed')) git('update-ref', 'refs/heads/main', other);
      isMoved ||= sentence.startsWith('the checks passed');
    });
    expect([end, work.said.join('\n')]).toEqual([
      ...[{ type: 'empty' }, expect.stringContaining('was moved by another process')],
    ]);
    expect(git('merge-base', '--is-ancestor', other, 'main')).toBe('');
    expect(await work.review()).toMatchObject({ state: 'landed', landedCommit: git('rev-parse', 'main') });
  });

  it('moves nothing after another process has taken its lease', async () => {
    await using work = await acceptedWork();
    const { git, store, place } = work;
    const before = git('rev-parse', 'main');
    const taking: Promise<unknown>[] = [];
    const end = await work.land((sentence) => {
      if (!sentence.startsWith('merged')) return;
      const take = async () => {
        const name = leaseName(place);
        const led = available(await store.lead({ name, holder: 'other', ttlMs: 1 }));
        if (led.type === 'following') await store.resign({ name, holder: led.holder, epoch: led.epoch });
        await store.lead({ name, holder: 'other', ttlMs: 60_000 });
      };
      taking.push(take());
    });
    await Promise.all(taking);
    expect(end).toEqual({ type: 'stopped', reason: expect.stringContaining('another process') });
    expect([git('rev-parse', 'main'), (await work.review())?.state]).toEqual([before, 'landing']);
    // the other one is on a machine that is known to be alive, as far as this one knows
    expect(await work.land()).toMatchObject({ type: 'busy' });
  });

  it('blames no attempt when its target cannot be checked alone', async () => {
    await using work = await acceptedWork({ file: 'red' });
    const { land, review, root } = work;
    const checkouts = path.join(root, 'home', 'land');
    const end = await land((sentence) => {
      if (!sentence.startsWith('checking main itself')) return;
      // no checkout can be made there any more
      rmSync(path.join(root, 'home'), { recursive: true });
      writeFileSync(path.join(root, 'home'), '');
    });
    expect(end).toEqual({ type: 'stopped', reason: expect.stringContaining('main itself could not be checked: ') });
    expect([(await review())?.state, existsSync(checkouts)]).toEqual(['accepted', false]);
  });

  it('halves what is red together', () => {
    expect([halves([1, 2, 3, 4, 5]), halves([1, 2])]).toEqual([
      [
        [1, 2, 3],
        [4, 5],
      ],
      [[1], [2]],
    ]);
  });
});
