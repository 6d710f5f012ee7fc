import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leadersOfSession } from '../processGroup.ts';
import { type SpawningRunner, spawnProcesses } from '../spawnProcesses.ts';

const helperScript = join(import.meta.dirname, '../../../profiles/spawn-helper.pl');
const env: Record<string, string> = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
const MOST_SPARES = 16;

let runner: SpawningRunner;
let fallbacks: string[];

beforeEach(() => {
  fallbacks = [];
  runner = spawnProcesses({ helperScript, env, onFallback: (sentence) => fallbacks.push(sentence) });
});
afterEach(() => runner.endAll());

async function run(script: string, more: { readonly env?: Record<string, string>; readonly input?: string } = {}) {
  const spec = { file: 'bash', args: ['-c', script], cwd: '/', env, maxOutputBytes: 1_000_000, ...more };
  const end = await runner.start(spec).ended;
  return 'stdout' in end ? end.stdout : expect.unreachable(JSON.stringify(end));
}

const helperPid = async () => Number(await run('echo $PPID'));
/** They wait briefly, so that all run in parallel. */
const runMany = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => run('cat; echo $$; sleep 0.2', { input: `${i} ` })));

function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Children of the helper that wait for a command, once there are as many as it wants. */
async function sparesOf(helper: number, count: number): Promise<readonly number[]> {
  const spares = () => leadersOfSession(helper).filter(isAlive);
  await expect.poll(() => spares().length).toBe(count);
  return spares();
}

describe('spares of the helper', () => {
  it('become the commands, and are replaced', async () => {
    const spares = await sparesOf(await helperPid(), 2);
    const [first, second] = await runMany(2);
    const pids = [first, second].map((printed) => Number(printed?.split(' ')[1]));
    expect(pids.toSorted()).toEqual(spares.toSorted());
    await sparesOf(await helperPid(), 2);
  });

  it('are as many as ran in parallel, but never many', async () => {
    const helper = await helperPid();
    await runMany(8);
    const { length } = await sparesOf(helper, 8);
    expect(length).toBe(8);
    const printed = await runMany(100);
    expect(printed.map((line) => line.split(' ')[0])).toEqual(printed.map((_, i) => `${i}`));
    await sparesOf(helper, MOST_SPARES);
  });

  it('know of every change of the environment since they were forked', async () => {
    await sparesOf(await helperPid(), 2);
    const show = (more: Record<string, string>) => run('echo "$A,$B"', { env: { ...env, ...more } });
    expect(await show({ A: '1', B: '2' })).toBe('1,2\n');
    expect(await show({ B: '3' })).toBe(',3\n');
    // too many changes: these are dismissed, and new ones forked
    expect(await show({ A: 'x'.repeat(100_000) })).toBe(`${'x'.repeat(100_000)},\n`);
    expect(await show({})).toBe(',\n');
    await sparesOf(await helperPid(), 2);
  });

  it('that were killed are not used', async () => {
    const killed = await sparesOf(await helperPid(), 2);
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    // one that is still dying takes its command with it, as any command that is killed
    await expect.poll(() => killed.filter(isAlive)).toEqual([]);
    expect((await runMany(3)).map((line) => line.split(' ')[0])).toEqual(['0', '1', '2']);
    expect(fallbacks).toEqual([]);
  });

  it('end with the helper, however it dies', async () => {
    const helper = await helperPid();
    await runMany(8);
    const spares = await sparesOf(helper, 8);
    process.kill(helper, 'SIGKILL');
    await expect.poll(() => spares.filter(isAlive)).toEqual([]);
  });
});
