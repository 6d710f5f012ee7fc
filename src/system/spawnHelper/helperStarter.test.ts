import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import type { ChildExit } from '../childStarter.ts';
import type { ProcessEnd, ProcessSpec } from '../processes.ts';
import { leadersOfSession } from '../processGroup.ts';
import { type SpawningRunner, spawnProcesses } from '../spawnProcesses.ts';
import { HelperStarter } from './helperStarter.ts';

const helperScript = join(import.meta.dirname, '../../../profiles/spawn-helper.pl');
const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
const spec = { cwd: '/', env, maxOutputBytes: 1_000_000 };

let runner: SpawningRunner;
let fallbacks: string[];

beforeEach(() => {
  fallbacks = [];
  runner = spawnProcesses({ helperScript, env, onFallback: (sentence) => fallbacks.push(sentence) });
});
afterEach(() => runner.endAll());

const start = (script: string, more: Partial<ProcessSpec> = {}, from = runner) =>
  from.start({ file: 'bash', args: ['-c', script], ...spec, ...more });

const output = (end: ProcessEnd) => ('stdout' in end ? end : expect.unreachable(JSON.stringify(end)));
const run = async (script: string, more: Partial<ProcessSpec> = {}) => output(await start(script, more).ended).stdout;

const parentPid = async () => Number(await run('echo $PPID'));

/** Whoever is the parent of a command; never this process, which would not like to be killed. */
async function helperPid(): Promise<number> {
  const pid = await parentPid();
  expect(pid, fallbacks.join()).not.toBe(process.pid);
  return pid;
}

/** Starts a script and resolves with its first line. */
async function startReady(script: string, more: Partial<ProcessSpec> = {}) {
  const line = Promise.withResolvers<string>();
  const running = start(script, { ...more, onOutput: (_stream, chunk) => line.resolve(chunk) });
  return { running, line: await line.promise };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function untilGone(...pids: readonly number[]): Promise<void> {
  expect(pids.every((pid) => pid > 1)).toBe(true);
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
}

const memoryMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Keeps this process from reading anything. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('a command of the helper', () => {
  it('is not a child of this process', async () => {
    expect(await helperPid()).toBe(await helperPid());
    expect(fallbacks).toEqual([]);
  });

  it('has no descriptor but its own three', async () => {
    await using folder = await tempFolder();
    const held = await startReady('echo ready; sleep 60', { input: 'x'.repeat(500_000) });
    const script = 'for i in $(seq 0 255); do [ -e /proc/$$/fd/$i ] && echo $i; done; true';
    const seen = await Promise.all([run(script, { cwd: folder.path }), run(script, { input: 'y'.repeat(200_000) })]);
    expect(seen).toEqual(['0\n1\n2\n', '0\n1\n2\n']);
    process.kill(-(held.running.pid ?? 0), 'SIGKILL');
    await held.running.ended;
  });

  it('has every signal at its default', async () => {
    const status = await readCommand('grep', ['-E', 'Sig(Blk|Ign)', '/proc/self/status']);
    expect(status).toMatch(/^SigBlk:\t0+\nSigIgn:\t0+\n$/);
    expect(await run('yes | head -1')).toBe('y\n');
    expect(await run('yes | head -1 >/dev/null; echo $PIPESTATUS')).toBe('141\n');
  });

  it('leads a group of its own, away from the terminal', async () => {
    const [group, session] = (await run('ps -o pgid=,sid= -p $$; echo $$ $PPID')).trim().split('\n');
    expect(group?.trim().split(/\s+/)).toEqual(session?.split(' '));
  });

  it('gets Unicode and 200 KB by every way in', async () => {
    const words = Array.from({ length: 20 }, (_, i) => `${i}€ü😀 "'$\n`.repeat(500));
    const long = '€'.repeat(40_000);
    const more = { args: ['-c', 'printf %s "$@" "$LONG"; cat', 'bash', ...words], env: { ...env, LONG: long } };
    const input = 'grüße\0\r\n'.repeat(20_000);
    const end = output(await start('', { ...more, input, maxOutputBytes: 10_000_000 }).ended);
    expect(end.stdout === `${words.join('')}${long}${input}`).toBe(true);
  });

  it('gets empty arguments, too', async () => {
    expect(await run('', { args: ['-c', 'printf "[%s]" "$@"', 'bash', '', 'a', '', ''] })).toBe('[][a][][]');
  });

  it('gets the environment of its own spec, whatever ran before', async () => {
    const changing: Record<string, string> = { ...env, A: '1', B: 'x=y' };
    const show = () => run('env | grep -E "^[ABC]=" | sort', { env: changing });
    expect(await show()).toBe('A=1\nB=x=y\n');
    changing.A = '2';
    changing.C = '';
    delete changing.B;
    expect(await show()).toBe('A=2\nC=\n');
    expect(await readCommand('/usr/bin/env', [])).toBe(`PATH=${env.PATH}\n`);
    const [one, two] = ['1', '2'].map((A) => Object.freeze({ ...env, A }));
    const shown = [one, one, two, one].map((frozen) => run('echo $A', frozen && { env: frozen }));
    expect(await Promise.all(shown)).toEqual(['1\n', '1\n', '2\n', '1\n']);
  });

  it('may end with the code of one that could not be started', async () => {
    expect(await start('exit 127').ended).toMatchObject({ type: 'exited', code: 127 });
  });

  it('is known to have left others behind, or not', async () => {
    const starter = new HelperStarter({ script: helperScript, path: env.PATH, onFallback: expect.unreachable });
    const end = (script: string) =>
      new Promise<ChildExit>((ended) => {
        starter.start({ file: 'bash', args: ['-c', script], cwd: '/', env }, { started() {}, output() {}, ended });
      });
    expect(await end('sleep 0.3 & true')).toMatchObject({ code: 0, mayHaveLeftOthers: true });
    expect(await end('true & wait')).toMatchObject({ code: 0, mayHaveLeftOthers: false });
    starter.retire();
  });

  it('writes bytes that are no text', async () => {
    await using folder = await tempFolder();
    const bytes = randomBytes(3_000_000);
    const file = join(folder.path, 'bytes');
    await writeFile(file, bytes);
    const chunks: Buffer[] = [];
    const starter = new HelperStarter({ script: helperScript, path: env.PATH, onFallback: expect.unreachable });
    const exit = Promise.withResolvers<ChildExit>();
    const output = (_stream: string, chunk: Buffer) => void chunks.push(chunk);
    const listener = { started: () => {}, output, ended: exit.resolve };
    starter.start({ file: 'cat', args: [file], cwd: '/', env }, listener);
    expect(await exit.promise).toEqual({ type: 'gone', code: 0, signal: null, mayHaveLeftOthers: false });
    starter.retire();
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  });
});

async function readCommand(file: string, args: readonly string[]): Promise<string> {
  return output(await runner.start({ file, args, ...spec }).ended).stdout;
}

describe('many commands of one helper', () => {
  it('are 500 at once, each with its own end', async () => {
    const scripts = Array.from({ length: 500 }, (_, i) => `read line; echo "$line"; echo err${i} >&2; exit ${i % 100}`);
    const ends = await Promise.all(scripts.map((script, i) => start(script, { input: `in${i}\n` }).ended));
    for (const [i, end] of ends.entries()) {
      expect(end).toMatchObject({ type: 'exited', code: i % 100, stdout: `in${i}\n`, stderr: `err${i}\n` });
    }
    expect(fallbacks).toEqual([]);
  });

  it('are 500 that run at the same time', async () => {
    const abort = new AbortController();
    const running = Array.from({ length: 500 }, () =>
      startReady('echo ready; exec sleep 60', { signal: abort.signal }),
    );
    const all = await Promise.all(running);
    abort.abort();
    const ends = await Promise.all(all.map((one) => one.running.ended));
    expect(new Set(ends.map((end) => end.type))).toEqual(new Set(['aborted']));
  });

  it('are quick beside one that floods, and the helper stays small', async () => {
    const abort = new AbortController();
    const pid = await helperPid();
    const flood = start('yes & yes >&2', { signal: abort.signal });
    for (let i = 0; i < 20; i++) expect(await run('cat', { input: `${i}` })).toBe(`${i}`);
    block(300);
    expect(memoryMb(pid)).toBeLessThan(16);
    expect(await run('echo quiet')).toBe('quiet\n');
    abort.abort();
    expect(await flood.ended).toMatchObject({ type: 'aborted' });
  });

  it('may leave much input unread without filling or holding up the helper', async () => {
    const pid = await helperPid();
    const abort = new AbortController();
    const deaf = await startReady('head -c 5000 >/dev/null; echo ready; sleep 60', {
      input: 'x'.repeat(50_000_000),
      signal: abort.signal,
    });
    expect(await run('wc -c', { input: 'y'.repeat(3_000_000) })).toMatch(/^ *3000000\n$/);
    expect(memoryMb(pid)).toBeLessThan(16);
    abort.abort();
    expect(await deaf.running.ended).toMatchObject({ type: 'aborted' });
  });
});

describe('without the helper', () => {
  it.each([
    [
      'no script',
      { helperScript: '/no/such/script.pl' },
      /could not be started \(it ended with exit code 2: Can't open/,
    ],
    ['no perl', { env: { PATH: '/no/such/folder' } }, /could not be started \(spawn perl ENOENT\)/],
  ])('commands run all the same, and a sentence says so: %s', async (_name, options, sentence) => {
    const from = spawnProcesses({ helperScript, env, onFallback: (said) => fallbacks.push(said), ...options });
    const ends = await Promise.all([1, 2, 3].map((code) => start(`echo $PPID; exit ${code}`, {}, from).ended));
    for (const [i, end] of ends.entries()) {
      expect(end).toMatchObject({ type: 'exited', code: i + 1, stdout: `${process.pid}\n` });
    }
    await from.warm();
    expect(fallbacks).toEqual([expect.stringMatching(sentence)]);
    await from.endAll();
  });

  it('nothing is said where it was not wanted', async () => {
    const off = spawnProcesses({ helperScript, env: { ...env, STOPGATE_SPAWN_HELPER: '0' } });
    await off.warm();
    expect(await start('echo $PPID', {}, off).ended).toMatchObject({ stdout: `${process.pid}\n` });
  });

  it.each([
    ['before it is ready', 'print "Hello, world, what a day"; sleep 60', 'could not be started'],
    ['when it is ready', 'print "\\0\\0\\0\\0H\\0\\0\\0\\0Hello, world"; sleep 60', 'is gone'],
  ])('that speaks nonsense %s, nothing hangs', async (_name, script, what) => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'nonsense.pl');
    await writeFile(path, `$| = 1; ${script};`);
    const from = spawnProcesses({ helperScript: path, env, onFallback: (said) => fallbacks.push(said) });
    const end = await start('echo fine', {}, from).ended;
    const notStarted = { type: 'notStarted', error: expect.stringContaining('the spawn helper is gone') };
    expect(end).toMatchObject(what === 'is gone' ? notStarted : { type: 'exited', stdout: 'fine\n' });
    expect(fallbacks).toEqual([expect.stringContaining(`${what} (it sent an invalid frame)`)]);
    expect(await start('echo fine', {}, from).ended).toMatchObject({ type: 'exited', stdout: 'fine\n' });
  });
});

describe('when the helper dies', () => {
  it('what it ran is ended and says why, and the next command is a plain spawn', async () => {
    const pid = await helperPid();
    const { running, line } = await startReady('sleep 300 & echo $!; wait');
    process.kill(pid, 'SIGKILL');
    const end = await running.ended;
    expect(end).toMatchObject({ type: 'signalled', signal: 'SIGKILL', stdout: line });
    expect(output(end).stderr).toBe(
      '\n[Stopgate ended this command: the spawn helper is gone (it was ended by SIGKILL).]\n',
    );
    await untilGone(Number(line), running.pid ?? 0);
    expect(fallbacks).toEqual([expect.stringMatching(/^The spawn helper is gone \(it was ended by SIGKILL\); .*\.$/)]);
    expect(await parentPid()).toBe(process.pid);
  });

  it('no command among many is left running, hangs, or counts as done', async () => {
    const pid = await helperPid();
    const running = Array.from({ length: 60 }, () => start('exec sleep 300'));
    // some were told to be forked by now, some were forked, some were not
    block(5);
    process.kill(pid, 'SIGKILL');
    const ends = await Promise.all(running.map(({ ended }) => ended));
    for (const end of ends) expect(['signalled', 'notStarted']).toContain(end.type);
    await expect.poll(() => leadersOfSession(pid).filter(isAlive)).toEqual([]);
    expect(fallbacks).toHaveLength(1);
  });

  it('or is stopped, a command that was told to end does not wait for it for ever', async () => {
    const ended = Promise.withResolvers<ChildExit>();
    const started = Promise.withResolvers<number>();
    const onFallback = (sentence: string) => fallbacks.push(sentence);
    const starter = new HelperStarter({ script: helperScript, path: env.PATH, answerMs: 1_000, onFallback });
    const heard: string[] = [];
    const output = (_stream: string, chunk: Buffer) => void heard.push(String(chunk));
    const listener = { started: started.resolve, output, ended: ended.resolve };
    const child = starter.start({ file: 'bash', args: ['-c', 'echo $PPID; sleep 60'], cwd: '/', env }, listener);
    await started.promise;
    await expect.poll(() => heard.join('')).toMatch(/\n$/);
    const pid = Number(heard.join(''));
    expect(pid).not.toBe(process.pid);
    child.doubt();
    // a command that takes longer than an answer may
    const other = Promise.withResolvers<ChildExit>();
    starter.start({ file: 'sleep', args: ['1.2'], cwd: '/', env }, { ...listener, ended: other.resolve });
    await other.promise;
    expect(fallbacks).toEqual([]);
    process.kill(pid, 'SIGSTOP');
    child.doubt();
    expect(await ended.promise).toEqual({ type: 'gone', code: null, signal: 'SIGKILL', mayHaveLeftOthers: true });
    expect(fallbacks).toEqual([expect.stringContaining('it does not answer')]);
    await untilGone(await started.promise);
  });
});

describe('the process that uses the helper', () => {
  /** Runs a script that has `start(script)`, which resolves with the first line printed, in a process of its own. */
  async function startUser(folder: string, body: string, inherited: readonly 'pipe'[] = []) {
    const system = join(import.meta.dirname, '..');
    const script = `import { spawnProcesses } from '${system}/spawnProcesses.ts';
      const runner = spawnProcesses({ helperScript: '${helperScript}', env: { PATH: process.env.PATH }, onFallback: console.log });
      const spec = { cwd: '/', env: process.env, maxOutputBytes: 1000 };
      const start = (script) => new Promise((resolve) => {
        const onOutput = (stream, chunk) => resolve(chunk.trim());
        runner.start({ file: 'bash', args: ['-c', script], ...spec, onOutput });
      });
      ${body}`;
    await writeFile(join(folder, 'user.mjs'), script);
    const between = Array.from({ length: 17 }, () => 'ignore' as const);
    const user = spawn(process.execPath, [join(folder, 'user.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit', ...between, ...inherited],
    });
    return Object.assign(user, { stdout: user.stdout ?? expect.unreachable() });
  }

  it('does not pass on what it inherited itself', async () => {
    await using folder = await tempFolder();
    const body = `console.log(await start('for i in 19 20 21; do [ -e /proc/$$/fd/$i ] && echo $i; done; echo none'));`;
    const user = await startUser(folder.path, body, ['pipe']);
    expect(await text(user.stdout)).toBe('none\n');
  });

  it('leaves nothing behind when it gets SIGKILL', async () => {
    await using folder = await tempFolder();
    const body = `const pids = [
        await start('sleep 300 & echo $! $$ $PPID; wait'),
        await start('(trap "" TERM; exec sleep 300) & echo $! $$; wait'),
        await start('sleep 300 >/dev/null 2>&1 & echo $!'),
      ];
      console.log('pids ' + pids.join(' '));
      setInterval(() => {}, 1000);`;
    const user = await startUser(folder.path, body);
    const line = await new Promise<string>((resolve) => user.stdout.once('data', (chunk) => resolve(String(chunk))));
    const pids = line.trim().split(' ').slice(1).map(Number);
    expect(pids).toHaveLength(6);
    expect(pids.filter(isAlive)).toEqual(pids);
    user.kill('SIGKILL');
    await untilGone(...pids);
  });

  it('stays until the helper is warm, and then ends by itself', async () => {
    await using folder = await tempFolder();
    const user = await startUser(folder.path, `await runner.warm(); console.log('warm');`);
    const exited = new Promise((resolve) => user.once('exit', (code, signal) => resolve({ code, signal })));
    expect(await text(user.stdout)).toBe('warm\n');
    expect(await exited).toEqual({ code: 0, signal: null });
  });

  it('stays while a command runs, and ends by itself right after', async () => {
    await using folder = await tempFolder();
    const done = join(folder.path, 'done');
    const user = await startUser(folder.path, `await start('sleep 0.2; echo $PPID > ${done}; echo')`);
    const exited = new Promise((resolve) => user.once('exit', (code, signal) => resolve({ code, signal })));
    expect(await text(user.stdout)).toBe('');
    expect(await exited).toEqual({ code: 0, signal: null });
    await untilGone(Number(await readFile(done, 'utf8')));
  });
});
