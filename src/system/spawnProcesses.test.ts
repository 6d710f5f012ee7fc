import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '../testing/tempFolder.ts';
import { type Clock, systemClock } from './clock.ts';
import type { ProcessEnd, ProcessSpec } from './processes.ts';
import { type SpawningRunner, type SpawnOptions, spawnProcesses } from './spawnProcesses.ts';

const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
const helperScript = join(import.meta.dirname, '../../profiles/spawn-helper.pl');

/** Runners of the test that is running, ended after it. */
const runners: SpawningRunner[] = [];
/** Fallback messages of members of the contract. */
const fallbacks: string[] = [];

async function newRunner(options: SpawnOptions) {
  const runner = spawnProcesses({ env, ...options, onFallback: (sentence) => fallbacks.push(sentence) });
  runners.push(runner);
  await runner.warm();
  return runner;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits without letting the event loop turn. */
function blockUntil(holds: () => boolean): void {
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (!holds()) Atomics.wait(never, 0, 0, 2);
}

/** SIGKILL takes effect a little later. */
async function untilGone(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid)).toBe(false);
}

const pidIn = (printed: string) => Number(/pid=(\d+)/.exec(printed)?.[1]);
const output = (end: ProcessEnd) => ('stdout' in end ? end : expect.unreachable(JSON.stringify(end)));

/** One contract: however a command is started, the result is the same. */
const members = [
  { name: 'a plain spawn', member: {} },
  { name: 'the spawn helper', member: { helperScript } },
];

afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.endAll()));
  expect(fallbacks.splice(0)).toEqual([]);
});

describe.each(members)('started by $name:', ({ member }) => {
  let runner: SpawningRunner;

  beforeEach(async () => {
    runner = await newRunner(member);
  });

  function start(script: string, spec: Partial<ProcessSpec> = {}, from = runner) {
    const args = ['-c', script];
    return from.start({ file: 'bash', args, cwd: '/', env, maxOutputBytes: 100_000, ...spec });
  }

  /** Starts a script and resolves once it printed `ready`, so that no test has to guess how long that takes. */
  async function startReady(script: string, spec: Partial<ProcessSpec> = {}, from = runner) {
    const ready = Promise.withResolvers<string>();
    let seen = '';
    const onOutput = (_stream: string, chunk: string) => {
      seen += chunk;
      if (seen.includes('ready')) ready.resolve(seen);
    };
    const running = start(script, { ...spec, onOutput }, from);
    return { running, printed: await ready.promise };
  }

  /** The test controls its timeout of an hour; its grace period is real. */
  async function startOnClock(script: string, spec: Partial<ProcessSpec> = {}) {
    const timeout = Promise.withResolvers<void>();
    const timeoutMs = 3_600_000;
    const sleep: Clock['sleep'] = (ms, signal) => (ms === timeoutMs ? timeout.promise : systemClock.sleep(ms, signal));
    const from = await newRunner({ ...member, clock: { now: systemClock.now, sleep } });
    return { ...(await startReady(script, { graceMs: 50, ...spec, timeoutMs }, from)), timeIsUp: timeout.resolve };
  }

  describe('how a process ends', () => {
    it('exits with its code, stdout and stderr', async () => {
      const end = await start('echo out; echo err >&2; exit 3').ended;
      expect(end).toMatchObject({ type: 'exited', code: 3, stdout: 'out\n', stderr: 'err\n', droppedBytes: 0 });
    });

    it('distinguishes a death by signal from an exit', async () => {
      expect(await start('kill -9 $$').ended).toMatchObject({ type: 'signalled', signal: 'SIGKILL' });
    });

    it('gets its input, and an empty stdin without one', async () => {
      expect(output(await start('cat', { input: 'grüße' }).ended).stdout).toBe('grüße');
      expect(await start('cat').ended).toMatchObject({ type: 'exited', code: 0, stdout: '' });
    });

    it('may leave 200 KB of input unread', async () => {
      const end = await start('echo fine', { input: 'x'.repeat(200_000) }).ended;
      expect(end).toMatchObject({ type: 'exited', code: 0, stdout: 'fine\n' });
    });

    it('may close its stdin and go on', async () => {
      const end = await start('exec 0<&-; sleep 0.1; echo fine', { input: 'x'.repeat(5_000_000) }).ended;
      expect(end).toMatchObject({ type: 'exited', code: 0, stdout: 'fine\n' });
    });

    it.each([
      [
        'an executable that is missing',
        { file: 'no-such-executable' },
        /no-such-executable: there is no such executable\.$/,
      ],
      ['a directory that is missing', { cwd: '/no/such/folder' }, /the directory \/no\/such\/folder does not exist\.$/],
      ['a directory that is a file', { cwd: '/etc/passwd' }, /\/etc\/passwd is not a directory\.$/],
      ['arguments that are too long', { args: ['x'.repeat(1_000_000)] }, /its arguments are too long\.$/],
      ['a file that is not executable', { file: '/etc/passwd' }, /it is not executable/],
      ['an argument with a NUL', { args: ['a\0b'] }, /null bytes/],
    ])('is reported in a sentence for %s', async (_name, spec, sentence) => {
      const end = await start('true', spec).ended;
      expect(end).toMatchObject({ type: 'notStarted', error: expect.stringMatching(sentence) });
    });
  });

  describe('output', () => {
    it('does not wait for a grandchild that holds the pipe', async () => {
      const startedAt = performance.now();
      const end = await start('echo before; sleep 8 & echo after').ended;
      expect(end).toMatchObject({ type: 'exited', code: 0, stdout: 'before\nafter\n' });
      expect(performance.now() - startedAt).toBeLessThan(4000);
    });

    it('does not wait for a grandchild that never stops writing', async () => {
      const startedAt = performance.now();
      expect(await start('yes & exit 4').ended).toMatchObject({ type: 'exited', code: 4 });
      expect(performance.now() - startedAt).toBeLessThan(4000);
    });

    it('has all that was in the pipe when the process ended', async () => {
      for (let i = 0; i < 20; i++) {
        const end = output(await start('head -c 60000 /dev/zero | tr "\\0" x; echo; echo end').ended);
        expect(end.stdout.length).toBe(60_005);
        expect(end.stdout).toMatch(/x\nend\n$/);
      }
    });

    it.runIf(existsSync('/proc/self'))('has what came between the last look at the pipe and the exit', async () => {
      // One poll of the loop finds the first line of one command and the exit of another. While the first line is
      // handled its command writes more and ends; the loop then hears of both exits before it looks at pipes again.
      await using folder = await tempFolder();
      const at = (name: string) => join(folder.path, name);
      const isOver = (name: string) => existsSync(at(name)) && !isAlive(Number(readFileSync(at(name), 'utf8')));
      const tellPid = (name: string) => `echo $$ > ${name}.part; mv ${name}.part ${name}`;
      void start(tellPid('other'), { cwd: folder.path });
      const onOutput = () => {
        if (existsSync(at('go'))) return;
        writeFileSync(at('go'), '');
        blockUntil(() => isOver('printed'));
      };
      const script = `echo first; ${tellPid('printed')}; while [ ! -e go ]; do sleep 0.01; done; echo second >&2`;
      const running = start(script, { cwd: folder.path, onOutput });
      // the helper gets both together, after this step
      await null;
      blockUntil(() => isOver('other') && existsSync(at('printed')));
      expect(await running.ended).toMatchObject({ type: 'exited', stdout: 'first\n', stderr: 'second\n' });
    });

    it('keeps head and tail of 50 MB, and counts the rest', async () => {
      const end = output(await start('echo first; head -c 50000000 /dev/zero | tr "\\0" x; echo last').ended);
      expect(end.stdout).toMatch(/^first\nx+\n\[… 49900011 bytes were left out here …\]\nx+last\n$/);
      expect(end.droppedBytes).toBe(50_000_011 - 100_000);
    });

    it('is passed on as it arrives, beyond the limit, with no character cut in two', async () => {
      let passedOn = '';
      const spec = { maxOutputBytes: 4, onOutput: (_stream: string, chunk: string) => (passedOn += chunk) };
      const script = String.raw`printf '\xe2\x82'; sleep 0.05; printf '\xac'; sleep 0.05; printf 'rest'`;
      const end = output(await start(script, spec).ended);
      expect(passedOn).toBe('€rest');
      expect(end.stdout).not.toContain('\uFFFD');
      expect(output(await start(script).ended).stdout).toBe('€rest');
    });
  });

  describe('ending a process', () => {
    it('ends a command that ignores SIGTERM', async () => {
      const { running, timeIsUp } = await startOnClock('trap "" TERM; echo ready; sleep 60 & wait; sleep 60');
      timeIsUp();
      expect(await running.ended).toMatchObject({ type: 'timedOut', stdout: 'ready\n' });
    });

    it('is a timeout even when the process then exits politely', async () => {
      const script = 'trap "echo bye; exit 0" TERM; echo ready; while :; do sleep 0.02; done';
      const { running, timeIsUp } = await startOnClock(script, { graceMs: 20_000 });
      timeIsUp();
      expect(await running.ended).toMatchObject({ type: 'timedOut', stdout: 'ready\nbye\n' });
    });

    it('kills what a polite leader left in its group', async () => {
      const abort = new AbortController();
      const script = `(trap "" TERM; while :; do sleep 0.05; done) & child=$!
        trap "exit 0" TERM; echo "pid=$child ready"; while :; do sleep 0.02; done`;
      const { running, printed } = await startReady(script, { signal: abort.signal, graceMs: 20_000 });
      expect(isAlive(pidIn(printed))).toBe(true);
      abort.abort();
      expect(await running.ended).toMatchObject({ type: 'aborted' });
      await untilGone(pidIn(printed));
    });

    it('ends immediately on abort, and does not start after one', async () => {
      const abort = new AbortController();
      const { running } = await startReady('echo ready; sleep 60', { signal: abort.signal });
      abort.abort();
      expect(await running.ended).toMatchObject({ type: 'aborted', stdout: 'ready\n' });
      const late = start('echo late', { signal: abort.signal });
      expect(late.pid).toBeUndefined();
      expect(await late.ended).toMatchObject({ type: 'aborted', stdout: '' });
    });

    it('ends one that was aborted before it could be there', async () => {
      const abort = new AbortController();
      const running = start('sleep 60', { signal: abort.signal, graceMs: 3_600_000 });
      abort.abort();
      expect(await running.ended).toMatchObject({ type: 'aborted', stdout: '' });
    });

    it('takes a timeout longer than any timer', async () => {
      expect(await start('sleep 0.05', { timeoutMs: 2 ** 40 }).ended).toMatchObject({ type: 'exited', code: 0 });
    });

    it('endAll ends what runs and what was left behind', async () => {
      await using folder = await tempFolder();
      const left = await start('sleep 60 >/dev/null 2>&1 & echo "pid=$!"', { cwd: folder.path }).ended;
      const orphan = pidIn(output(left).stdout);
      const { running } = await startReady('echo ready; sleep 60');
      expect(isAlive(orphan)).toBe(true);
      await runner.endAll();
      expect(await running.ended).toMatchObject({ type: 'aborted' });
      await untilGone(orphan);
    });
  });
});
