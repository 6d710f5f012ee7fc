import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openStore } from '../../store/openStore.ts';
import type { Store } from '../../store/types.ts';
import { available } from '../../store/unavailable.ts';
import { systemClock } from '../../system/clock.ts';
import { definedOnly } from '../../system/definedOnly.ts';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { openVerifier } from './verifier.ts';

const MANY = 60;

it('verifies a task behind many that only other machines can verify', { timeout: 60_000 }, async () => {
  await using folder = await tempFolder();
  const cwd = path.join(folder.path, 'repository');
  const env = definedOnly(process.env);
  await using processes = spawnProcesses({ env });
  execFileSync('git', ['init', '-q', '-b', 'main', cwd]);
  const git = ['-C', cwd, '-c', 'user.name=a', '-c', 'user.email=a@b'];
  execFileSync('git', [...git, 'commit', '-qm', 'first', '--allow-empty']);
  const here = execFileSync('git', ['-C', cwd, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  await using store = (await openStore(path.join(folder.path, 'tasks.db'))) as Store;
  await store.registerWorker({ workerId: 'w' });
  const complete = async (title: string, headCommit: string) => {
    await store.addTasks({ tasks: [{ title, verify: 'true' }] });
    const claimed = available(await store.claim({ workerId: 'w', incarnation: 1, claimKey: title }));
    if (claimed.type !== 'claimed') throw new Error(JSON.stringify(claimed));
    await store.complete({ lease: claimed.lease, result: '', details: { headCommit } });
    return claimed.task.id;
  };
  for (let at = 0; at < MANY; at++) await complete(`elsewhere ${at}`, '1'.repeat(40));
  const id = await complete('here', here);
  const world = { processes, env, cwd, stopgateHome: path.join(folder.path, 'home'), clock: systemClock };
  const signal = new AbortController().signal;
  const askJudge = async () => ({ type: 'failed' as const, reason: 'there is none', isFinal: true });
  const said: string[] = [];
  const report = (sentence: string) => void said.push(sentence);
  const verifier = openVerifier({ store, world, name: 'w', queue: undefined, signal, report, askJudge });
  await verifier.all();
  expect(await store.task({ id })).toMatchObject({ task: { state: 'done' } });
  expect(said.filter((sentence) => sentence.includes('waits for another verifier'))).toHaveLength(MANY);
});
