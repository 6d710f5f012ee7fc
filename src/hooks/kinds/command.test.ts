import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHook, testEvent, testSubject } from '../../../tests/support/testHooks.ts';
import { systemClock } from '../../system/clock.ts';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import type { HookOutcome } from '../outcome.ts';
import { backgroundHooks } from './background.ts';
import { commandHook } from './command.ts';

const processes = spawnProcesses();
const background = backgroundHooks(systemClock);
const kind = commandHook({ processes, background });
const command = (words: string, more: object = {}, context = {}) =>
  runHook(kind, { type: 'command', command: words, ...more }, context);
const blockReason = (outcome: HookOutcome) =>
  outcome.type === 'said'
    ? outcome.reply.block?.reason
    : `${outcome.type}: ${'message' in outcome ? outcome.message : ''}`;

const placeholder = `\${CLAUDE_PROJECT_DIR}`;
let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'stopgate hooks $(x) ')));
});
afterAll(async () => {
  await processes.endAll();
  rmSync(folder, { recursive: true, force: true });
});
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const pidIn = (file: string) => Number(readFileSync(path.join(folder, file), 'utf8'));

describe('what a command is given', () => {
  it('gets the event as one line, which `read` can read', async () => {
    expect(blockReason(await command(`IFS= read -r line && printf %s "$\{line%%:*}" >&2; exit 2`))).toBe(
      '{"session_id"',
    );
  });

  it('is not started when it names a place that only plugins have', async () => {
    const outcome = await command(`touch stray; : "$\{CLAUDE_PLUGIN_ROOT}"; exit 2`);
    expect(outcome).toMatchObject({ type: 'failed', failure: 'execution', message: expect.stringContaining('plugin') });
    expect(existsSync(path.join(folder, 'stray'))).toBe(false);
  });

  it('gets the event as JSON on stdin', async () => {
    const outcome = await command(`grep -q '"hook_event_name":"Stop"' && echo read >&2; exit 2`);
    expect(blockReason(outcome)).toBe('read\n');
  });

  it('runs in the current directory and knows the project', async () => {
    const event = testEvent('Stop', {}, { subject: testSubject(folder) });
    const env = { PATH: process.env.PATH ?? '', CLAUDE_PROJECT_DIR: folder };
    const outcome = await command(
      `echo "$PWD|$CLAUDE_PROJECT_DIR|${placeholder}" >&2; exit 2`,
      {},
      { event, env, projectDir: folder },
    );
    expect(blockReason(outcome)).toBe(`${folder}|${folder}|${folder}\n`);
  });

  it('fills placeholders of the exec form and uses no shell for it', async () => {
    const args = [
      '-c',
      'printf "%s|" "$@" >&2; exit 2',
      'x',
      'a b $HOME',
      `${placeholder}/x`,
      '"quoted"',
      "it's",
      '✓ ünï',
    ];
    const outcome = await command('sh', { args }, { projectDir: folder });
    expect(blockReason(outcome)).toBe(`a b $HOME|${folder}/x|"quoted"|it's|✓ ünï|`);
  });

  it('runs a shell command with quotes, spaces and Unicode as it is written', async () => {
    expect(blockReason(await command(`printf '%s' "a  'b' \\"c\\" ✓" >&2; exit 2`))).toBe(`a  'b' "c" ✓`);
  });

  it('has bash for what only bash understands', async () => {
    expect(
      blockReason(await command('[[ abc == a* ]] && read -r x <<< "here"; echo "$x" >&2; exit 2', { shell: 'bash' })),
    ).toBe('here\n');
  });

  it('does not run a person’s .bashrc first', async () => {
    writeFileSync(path.join(folder, '.bashrc'), 'echo noise >&2');
    const env = { PATH: process.env.PATH ?? '', HOME: folder };
    expect(blockReason(await command('true && echo quiet >&2; exit 2', { shell: 'bash' }, { env }))).toBe('quiet\n');
  });

  it('runs elsewhere when its directory is gone', async () => {
    const event = testEvent('Stop', {}, { subject: testSubject('/nonexistent/folder') });
    expect(blockReason(await command('pwd >&2; exit 2', {}, { event, projectDir: folder }))).toBe(`${folder}\n`);
  });
});

describe('how a command can end', () => {
  it('is not started: a failure of execution', async () => {
    const outcome = await command('/nonexistent/hook', { args: [] });
    expect(outcome).toMatchObject({ type: 'failed', failure: 'execution' });
  });

  it('is missing for the shell: a failure, never a block', async () => {
    expect(await command('/nonexistent/hook')).toMatchObject({
      type: 'failed',
      failure: 'answer',
      printed: { exitCode: 127 },
    });
  });

  it('dies by a signal: never exit 0', async () => {
    const outcome = await command('echo "{}"; kill -9 $$');
    expect(outcome).toMatchObject({ type: 'failed', failure: 'answer', message: 'it was killed by SIGKILL' });
  });

  it('takes too long: ended, no verdict', async () => {
    const outcome = await command(
      'echo $$ > slow.pid; echo late >&2; sleep 30; exit 2',
      { timeout: 0.3 },
      {
        event: testEvent('Stop', {}, { subject: testSubject(folder) }),
      },
    );
    expect(outcome).toMatchObject({
      type: 'failed',
      failure: 'timeout',
      message: 'it took longer than 300ms and was ended',
    });
    expect(isAlive(pidIn('slow.pid'))).toBe(false);
  });

  it('ignores SIGTERM: ended all the same', async () => {
    const outcome = await command(
      'trap "" TERM; echo $$ > stubborn.pid; while :; do sleep 0.05; done',
      { timeout: 0.2 },
      {
        event: testEvent('Stop', {}, { subject: testSubject(folder) }),
      },
    );
    expect(outcome).toMatchObject({ type: 'failed', failure: 'timeout' });
    expect(isAlive(pidIn('stubborn.pid'))).toBe(false);
  });

  it('is aborted with the turn: cancelled', async () => {
    const turn = new AbortController();
    const running = command('echo ready >&2; sleep 30', {}, { signal: turn.signal, onOutput: () => turn.abort() });
    expect(await running).toMatchObject({ type: 'cancelled' });
  });

  it('does not start when the turn is over already', async () => {
    expect(await command('exit 2', {}, { signal: AbortSignal.abort() })).toMatchObject({ type: 'cancelled' });
  });
});

describe('edges that bite', () => {
  const large = testEvent('Stop', { last_assistant_message: 'x'.repeat(200_000) });

  it('a hook that does not read 200 KB on stdin', async () => {
    expect(blockReason(await command('echo unread >&2; exit 2', {}, { event: large }))).toBe('unread\n');
  });

  it('a hook that closes stdin', async () => {
    expect(blockReason(await command('exec 0<&-; sleep 0.1; echo closed >&2; exit 2', {}, { event: large }))).toBe(
      'closed\n',
    );
  });

  it('a hook that prints 50 MB', async () => {
    const outcome = await command('head -c 50000000 /dev/zero | tr "\\0" x; echo flooded >&2; exit 2');
    expect(blockReason(outcome)).toBe('flooded\n');
    expect(outcome.printed.stdout.length).toBeLessThan(2_000_000);
  });

  it('half of a huge answer is reported as a failure', async () => {
    const outcome = await command(`printf '{"reason":"'; head -c 3000000 /dev/zero | tr "\\0" y; printf '"}'`);
    expect(outcome).toMatchObject({
      type: 'failed',
      message: expect.stringMatching(/bytes of its output were dropped/),
    });
  });

  it('a hook that prints a byte-order mark and CRLF', async () => {
    const outcome = await command(`printf '\\357\\273\\277{"decision":"block",\\r\\n"reason":"marked"}\\r\\n'`);
    expect(blockReason(outcome)).toBe('marked');
  });

  it('a grandchild that holds the pipe is not waited for', async () => {
    const startedAt = Date.now();
    expect(blockReason(await command('sleep 8 & echo gone >&2; exit 2'))).toBe('gone\n');
    expect(Date.now() - startedAt).toBeLessThan(6_000);
  });

  it('a hook that forks and exits', async () => {
    expect(
      blockReason(await command('(setsid sleep 0.5 >/dev/null 2>&1 </dev/null &) ; echo forked >&2; exit 2')),
    ).toBe('forked\n');
  });
});

describe('in the background', () => {
  it('does not wait for an async hook, nor end it with the turn', async () => {
    const turn = new AbortController();
    const event = testEvent('Stop', {}, { subject: testSubject(folder) });
    const outcome = await command(
      'sleep 0.2; echo done > async.out; exit 2',
      { async: true, timeout: 0.1 },
      { event, signal: turn.signal },
    );
    expect(outcome.type).toBe('background');
    turn.abort();
    expect(background.running()).toBe(1);
    expect(await background.drain(10_000)).toEqual([]);
    expect(readFileSync(path.join(folder, 'async.out'), 'utf8')).toBe('done\n');
    expect(background.take()).toEqual([]);
  });

  it('ends what is not done when the time to drain is over', async () => {
    await command('sleep 30', { async: true });
    expect(await background.drain(50)).toEqual(['sleep 30']);
    expect(background.running()).toBe(0);
  });

  it('delivers context of an async hook, and not its decision', async () => {
    const answer = {
      decision: 'block',
      reason: 'ignored',
      hookSpecificOutput: { hookEventName: 'Stop', additionalContext: 'later' },
    };
    await command(`echo '${JSON.stringify(answer)}'`, { async: true });
    await background.drain(10_000);
    expect(background.take()).toMatchObject([{ type: 'context', text: 'later' }]);
    expect(background.take()).toEqual([]);
  });

  it('waits for asyncRewake alone, as Claude Code does without a person', async () => {
    const outcome = await command('echo wake up >&2; exit 2', { asyncRewake: true });
    expect(blockReason(outcome)).toBe('wake up\n');
  });

  it('wakes the agent for exit 2 of asyncRewake beside async', async () => {
    const woken: string[] = [];
    const waking = backgroundHooks(systemClock, (word) => woken.push(word.text));
    const outcome = await runHook(commandHook({ processes, background: waking }), {
      type: 'command',
      command: 'echo wake up >&2; exit 2',
      async: true,
      asyncRewake: true,
    });
    expect(outcome.type).toBe('background');
    await waking.drain(10_000);
    expect(woken).toEqual(['Stop hook feedback:\n[echo wake up >&2; exit 2]: wake up']);
  });

  it('lets a hook detach itself by its first line', async () => {
    const event = testEvent('Stop', {}, { subject: testSubject(folder) });
    const outcome = await command(`echo '{"async":true}'; sleep 0.2; echo more > detached.out`, {}, { event });
    expect(outcome.type).toBe('background');
    expect(await background.drain(10_000)).toEqual([]);
    expect(readFileSync(path.join(folder, 'detached.out'), 'utf8')).toBe('more\n');
  });

  it('ends a detached hook after its own timeout', async () => {
    await command(`echo '{"async":true,"asyncTimeout":100}'; sleep 30`);
    expect(await background.drain(10_000)).toEqual([]);
  });
});
