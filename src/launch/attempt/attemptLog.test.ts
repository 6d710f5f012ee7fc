import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { attemptLog, attemptLogFile } from './attemptLog.ts';

const lease = (epoch: number) => ({ taskId: 'task', epoch, attemptId: `a${epoch}`, workerId: 'w', incarnation: 1 });
const NOW = Date.now();

it('keeps the output of each attempt below a size, and old ones not at all', async () => {
  await using home = await tempFolder();
  const passed: string[] = [];
  const writer = { out: (text: string) => passed.push(text), err: (text: string) => passed.push(text) };
  const log = attemptLog(home.path, NOW);
  const both = log.over(writer as never);
  both.out('before any attempt\n');
  log.use(lease(1));
  both.out('one\n');
  both.err('\u001b[2Jtwo\n');
  log.use(lease(2));
  const line = `${'x'.repeat(64 * 1024)}\n`;
  for (let count = 0; count < 100; count++) both.out(line);
  log.use(null);
  both.out('after\n');
  const [first, second] = [attemptLogFile(home.path, lease(1)), attemptLogFile(home.path, lease(2))];
  expect(readFileSync(first, 'utf8')).toMatch(/^one\n.*two\n$/);
  expect(readFileSync(first, 'utf8')).not.toContain('\u001b');
  expect(statSync(second).size + statSync(`${second}.1`).size).toBeLessThan(5 * 1024 * 1024);
  expect(passed).toHaveLength(104);
  utimesSync(first, 0, 0);
  attemptLog(home.path, NOW);
  expect([existsSync(first), existsSync(second)]).toEqual([false, true]);
});
