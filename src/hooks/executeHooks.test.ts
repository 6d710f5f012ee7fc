import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seeAll, testHooks, testRequest, testRunner, testSubject, typesOf } from '../../tests/support/testHooks.ts';
import { systemClock } from '../system/clock.ts';
import { spawnProcesses } from '../system/spawnProcesses.ts';
import { defineKind } from './kind.ts';
import { backgroundHooks } from './kinds/background.ts';
import { commandFacts, commandHook } from './kinds/command.ts';
import { functionHook, onHookEvent } from './kinds/function.ts';
import { promptHook } from './kinds/prompt.ts';
import type { HookOutcome } from './outcome.ts';
import { NO_VERDICT } from './types.ts';

const processes = spawnProcesses();
const background = backgroundHooks(systemClock);
const kinds = [commandHook({ processes, background }), functionHook()];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stopgate-execute-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => processes.endAll());

const run = (
  value: unknown,
  event: Parameters<typeof testRequest>[0] = 'Stop',
  input: object = {},
  more: object = {},
) =>
  seeAll(
    testRunner({ configured: testHooks(value), kinds, ...more }).run(
      testRequest(event, input, { subject: testSubject(folder) }),
    ),
  );
const command = (words: string, more: object = {}) => ({ type: 'command', command: words, ...more });
const bash = { tool_name: 'Bash', tool_input: { command: 'echo hi' }, tool_use_id: 'toolu_1' };

/** A kind whose hooks end when the test ends them. */
function heldKind() {
  const ends = new Map<string, (outcome: HookOutcome) => void>();
  const kind = defineKind({
    ...commandFacts,
    run: ({ command: name }) => new Promise<HookOutcome>((resolve) => ends.set(name, resolve)),
  });
  const outcomeWith = (reason?: string): HookOutcome => ({
    type: 'said',
    reply: { specific: {}, ...(reason !== undefined && { block: { by: 'exit', reason } as const }) },
    printed: { stdout: '', stderr: '', durationMs: 1 },
  });
  return {
    kind,
    end: (name: string, reason?: string) => ends.get(name)?.(outcomeWith(reason)),
    started: () => [...ends.keys()],
  };
}

describe('executeHooks', () => {
  it('does nothing when nothing is configured or matches', async () => {
    expect(await run({})).toEqual({ events: [], verdict: NO_VERDICT });
    expect(await run({ PreToolUse: [{ matcher: 'Read', hooks: [command('exit 2')] }] }, 'PreToolUse', bash)).toEqual({
      events: [],
      verdict: NO_VERDICT,
    });
  });

  it('reports what a hook did, from its start to the verdict', async () => {
    const { events, verdict } = await run({
      Stop: [command('echo keep going >&2; exit 2', { statusMessage: 'Checking' })],
    });
    expect(typesOf(events)).toEqual(['hook_started', 'hook_blocking_error', 'hook_response']);
    expect(events[0]).toMatchObject({
      data: {
        hook_name: 'Stop',
        hook_event: 'Stop',
        command: 'echo keep going >&2; exit 2',
        statusMessage: 'Checking',
      },
    });
    expect(events[2]).toMatchObject({
      data: {
        exit_code: 2,
        outcome: 'error',
        stderr: 'keep going\n',
        stdout: '',
        output: 'keep going\n',
        isBlocking: true,
      },
    });
    expect(verdict.blocks).toEqual(['Stop hook feedback:\n[echo keep going >&2; exit 2]: keep going\n']);
  });

  it.each<[string, object, readonly string[]]>([
    ['success', command('echo fine'), ['hook_success']],
    ['a failing command', command('exit 1'), ['hook_non_blocking_error']],
    ['one that cannot start', command('/nonexistent', { args: [] }), ['hook_error_during_execution']],
    ['one that is late', command('sleep 9', { timeout: 0.1 }), ['hook_non_blocking_error']],
    [
      'an end',
      command(`echo '{"continue":false,"stopReason":"enough"}'`),
      ['hook_success', 'hook_stopped_continuation'],
    ],
    ['a message', command(`echo '{"systemMessage":"hello"}'`), ['hook_success', 'hook_system_message', 'notice']],
    [
      'context',
      command(`echo '{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"c"}}'`),
      ['hook_success', 'hook_additional_context'],
    ],
  ])('attaches %s', async (_, entry, types) => {
    const { events } = await run({ Stop: [entry] });
    expect(typesOf(events)).toEqual(['hook_started', ...types, 'hook_response']);
  });

  it('reports a block by its answer, not by its exit code', async () => {
    const isBlocking = async (...run_: Parameters<typeof run>) =>
      ((await run(...run_)).events.at(-1) as { data: { isBlocking?: boolean } }).data.isBlocking;
    expect(await isBlocking({ Stop: [command(`echo '{"decision":"block","reason":"not yet"}'`)] })).toBe(true);
    expect(await isBlocking({ Stop: [command('exit 1')] })).toBeUndefined();
    expect(await isBlocking({ Notification: [command('exit 2')] }, 'Notification')).toBeUndefined();
  });

  it('starts all hooks together and reports each end immediately', async () => {
    const held = heldKind();
    const runner = testRunner({
      configured: testHooks({ Stop: [command('a'), command('b'), command('c')] }),
      kinds: [held.kind],
    });
    const running = runner.run(testRequest('Stop'));
    for (let n = 0; n < 3; n++)
      expect(await running.next()).toMatchObject({ value: { data: { type: 'hook_started' } } });
    expect(held.started()).toEqual(['a', 'b', 'c']);
    held.end('b', 'from b');
    expect(await running.next()).toMatchObject({
      value: { attachment: { type: 'hook_blocking_error', command: 'b' } },
    });
    held.end('c');
    held.end('a', 'from a');
    const { verdict } = await seeAll(running);
    expect(verdict.blocks).toEqual(['Stop hook feedback:\n[b]: from b', 'Stop hook feedback:\n[a]: from a']);
  });

  it('runs real commands side by side', async () => {
    // each waits for the others: one after the other they would never end
    const meet = (own: string) =>
      command(`touch ${own}; until [ -e a ] && [ -e b ] && [ -e c ]; do sleep 0.02; done`, { timeout: 20 });
    const { events } = await run({ Stop: [meet('a'), meet('b'), meet('c')] });
    expect(typesOf(events).filter((type) => type === 'hook_success')).toHaveLength(3);
  });

  it('runs 500 hooks in parallel', { timeout: 120_000 }, async () => {
    const entries = Array.from({ length: 500 }, (_, n) => command(`touch ran.${n}`));
    const { verdict, events } = await run({ Stop: entries });
    expect(readdirSync(folder)).toHaveLength(500);
    expect(typesOf(events).filter((type) => type === 'hook_success')).toHaveLength(500);
    expect(verdict).toEqual(NO_VERDICT);
  });

  it('cancels what runs when the turn is aborted', async () => {
    const turn = new AbortController();
    const runner = testRunner({ configured: testHooks({ Stop: [command('sleep 30', { onError: 'block' })] }), kinds });
    const running = runner.run(testRequest('Stop', {}, { signal: turn.signal }));
    await running.next();
    turn.abort();
    const { events, verdict } = await seeAll(running);
    expect(typesOf(events)).toEqual(['hook_cancelled', 'hook_response']);
    expect(events[1]).toMatchObject({ data: { outcome: 'cancelled' } });
    expect(verdict).toEqual(NO_VERDICT);
  });

  it('ends its hooks when the consumer stops', async () => {
    let aborted = false;
    const waits = onHookEvent(
      'Stop',
      (_input, _id, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            resolve();
          });
        }),
    );
    const running = testRunner({ configured: [waits], kinds }).run(testRequest('Stop'));
    await running.next();
    await running.return(NO_VERDICT);
    await new Promise(setImmediate);
    expect(aborted).toBe(true);
  });

  it('survives a kind that breaks its promise, and hears the others', async () => {
    const broken = defineKind({ ...commandFacts, run: () => Promise.reject(new Error('bug')) });
    const configured = [
      ...testHooks({ Stop: [command('x')] }),
      onHookEvent('Stop', () => ({ decision: 'block', reason: 'r' })),
    ];
    const { events, verdict } = await seeAll(
      testRunner({ configured, kinds: [broken, functionHook()] }).run(testRequest('Stop')),
    );
    expect(typesOf(events)).toContain('hook_error_during_execution');
    expect(verdict.blocks).toEqual(['Stop hook feedback:\nr']);
  });

  it('does not report starts and ends without a listener', async () => {
    const { events } = await run({ Stop: [command('true')] }, 'Stop', {}, { emitsProgress: () => false });
    expect(typesOf(events)).toEqual(['hook_success']);
  });

  it('reports what a watched hook prints while it runs', async () => {
    const { events } = await run(
      { Stop: [command('echo one; sleep 0.1; echo two >&2')] },
      'Stop',
      {},
      { watchOutput: true },
    );
    const watched = events.flatMap((event) =>
      event.type === 'progress' && event.data.type === 'hook_progress' ? [event.data.output] : [],
    );
    expect(watched).toEqual(['one\n', 'one\ntwo\n']);
  });

  it('spills a long context to a file', async () => {
    const saved: string[] = [];
    const spill = (text: string) => `/spill/${saved.push(text)}`;
    const { verdict } = await run(
      { UserPromptSubmit: [command('head -c 15000 /dev/zero | tr "\\0" y')] },
      'UserPromptSubmit',
      { prompt: 'p' },
      { spill },
    );
    expect(saved.map((text) => text.length)).toEqual([15_000]);
    expect(verdict.contexts[0]).toContain('/spill/1');
    expect(verdict.contexts[0]?.length).toBeLessThan(3_000);
  });

  it('does not wait for an async hook', async () => {
    const { events, verdict } = await run({ Stop: [command('sleep 0.2; exit 2', { async: true })] });
    expect(typesOf(events)).toEqual(['hook_started']);
    expect(verdict).toEqual(NO_VERDICT);
    expect(await background.drain(10_000)).toEqual([]);
  });

  it('ends the session’s last hooks after one short budget', async () => {
    const startedAt = Date.now();
    const { events } = await run({ SessionEnd: [command('sleep 9')] }, 'SessionEnd', { reason: 'other' });
    expect(typesOf(events)).toContain('hook_non_blocking_error');
    expect(Date.now() - startedAt).toBeLessThan(4_000);
  });

  it('gives the environment file to the events that have one', async () => {
    const entry = command('printenv CLAUDE_ENV_FILE >&2 || echo none >&2; exit 1');
    const stderr = async (event: 'SessionStart' | 'Stop') => {
      const { events } = await run({ [event]: [entry] }, event, { source: 'startup' }, { envFile: '/tmp/env' });
      return events.flatMap((one) => (one.type === 'attachment' ? [one.attachment.stderr] : []));
    };
    expect(await stderr('SessionStart')).toEqual(['/tmp/env\n']);
    expect(await stderr('Stop')).toEqual(['none\n']);
  });
});

describe('the hook runner', () => {
  it('knows without work whether an event has hooks', () => {
    const runner = testRunner({ configured: testHooks({ Stop: [command('x')] }), kinds });
    expect([runner.has('Stop'), runner.has('PreToolUse')]).toEqual([true, false]);
  });

  it('keeps a run on the settings it started with', async () => {
    const held = heldKind();
    const runner = testRunner({ configured: testHooks({ Stop: [command('old')] }), kinds: [held.kind] });
    const running = runner.run(testRequest('Stop'));
    await running.next();
    runner.replaceConfigured(testHooks({ Stop: [command('new')], PreToolUse: [command('x')] }));
    expect(runner.has('PreToolUse')).toBe(true);
    held.end('old', 'still heard');
    expect((await seeAll(running)).verdict.blocks).toEqual(['Stop hook feedback:\n[old]: still heard']);
    const next = runner.run(testRequest('Stop'));
    await next.next();
    held.end('new', 'now');
    expect((await seeAll(next)).verdict.blocks).toEqual(['Stop hook feedback:\n[new]: now']);
  });

  it('settings replaced while real commands run', async () => {
    const runner = testRunner({ configured: testHooks({ Stop: [command('sleep 0.2; echo old >&2; exit 2')] }), kinds });
    const running = runner.run(testRequest('Stop'));
    await running.next();
    runner.replaceConfigured([]);
    expect((await seeAll(running)).verdict.blocks).toEqual([
      'Stop hook feedback:\n[sleep 0.2; echo old >&2; exit 2]: old\n',
    ]);
    expect(await seeAll(runner.run(testRequest('Stop')))).toEqual({ events: [], verdict: NO_VERDICT });
  });

  it('runs a skill’s once-only hook until it succeeds, and then no more', async () => {
    let calls = 0;
    const answers = [{ decision: 'block', reason: 'not yet' }, undefined, undefined] as const;
    const counts = { ...onHookEvent('Stop', () => answers[calls++]), source: 'skill' as const };
    const hook = { ...counts, settings: { ...counts.settings, once: true } };
    const runner = testRunner({ configured: [hook], kinds });
    // functions are the library's: only this test dresses one as a skill's
    const explained = runner.explain(testRequest('Stop'));
    expect(explained[0]?.matched).toBe(false);
    const skill = { ...hook, kind: 'command' };
    const asCommand = testRunner({ configured: [skill], kinds: [{ ...functionHook(), type: 'command' }] });
    for (let n = 0; n < 4; n++) await seeAll(asCommand.run(testRequest('Stop')));
    expect(calls).toBe(2);
  });

  it('explains without running', () => {
    const runner = testRunner({
      configured: testHooks({ PreToolUse: [{ matcher: 'Read', hooks: [command('x')] }, command('y')] }),
      kinds,
    });
    expect(runner.explain(testRequest('PreToolUse', bash)).map((one) => (one.matched ? 'runs' : one.why))).toEqual([
      'the matcher "Read" does not match tool_name "Bash"',
      'runs',
    ]);
  });

  it('filters on the last message, from the event or from the conversation', async () => {
    const entry = (source: string) => ({ ...command('exit 2'), matcher: { pattern: 'passed', source } });
    const lastText = () => '3 tests PASSED';
    const blocks = async (source: string, input: object) =>
      (await run({ Stop: [entry(source)] }, 'Stop', input, { lastText })).verdict.blocks.length;
    expect(await blocks('tool_result', {})).toBe(1);
    expect(await blocks('assistant', { last_assistant_message: 'all passed' })).toBe(1);
    expect(await blocks('assistant', { last_assistant_message: 'nothing yet' })).toBe(0);
  });

  it('calls a judge and ends the turn for a tool it refuses', async () => {
    const judge = promptHook(async () => ({ type: 'ok', text: '{"ok":false,"reason":"dangerous"}' }));
    const { verdict } = await run({ PreToolUse: [{ type: 'prompt', prompt: 'Safe?' }] }, 'PreToolUse', bash, {
      kinds: [judge],
    });
    expect(verdict).toMatchObject({ permission: { decision: 'deny' }, prevented: 'dangerous' });
  });
});

describe('a hook that may not run any more', () => {
  const off = (label: string) => ({
    whyOff: (hook: { label: string }) => (hook.label === label ? 'it changed' : null),
  });
  const notices = (events: readonly { type: string; text?: string }[]) =>
    events.flatMap(({ type, text }) => (type === 'notice' ? [text] : []));

  it('is left out and named once; those beside it run', async () => {
    const value = { Stop: [command('touch ran', {}), command('exit 2', {})] };
    const runner = testRunner({ configured: testHooks(value), kinds, ...off('exit 2') });
    const request = () => testRequest('Stop', {}, { subject: testSubject(folder) });
    const first = await seeAll(runner.run(request()));
    expect(first.verdict.blocks).toEqual([]);
    expect(notices(first.events)).toEqual([expect.stringMatching(/^Hook not run: Stop exit 2 \(.*\): it changed\.$/)]);
    expect(readdirSync(folder)).toEqual(['ran']);
    expect(notices((await seeAll(runner.run(request()))).events)).toEqual([]);
  });

  it('blocks where its failure would', async () => {
    const { verdict } = await run({ Stop: [command('true', { onError: 'block' })] }, 'Stop', {}, off('true'));
    expect(verdict.blocks).toEqual([expect.stringContaining('it was not run: it changed')]);
  });
});
