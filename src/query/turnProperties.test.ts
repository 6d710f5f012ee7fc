import { expect, it } from 'vitest';
import { type Chance, chance } from '../../tests/support/random.ts';
import type { HookRequest, HookVerdict } from '../hooks/types.ts';
import type { ConversationMessage, ModelRequest } from '../models/types.ts';
import { fakeHooks, runTurn } from '../testing/runTurn.ts';
import { type ScriptedReply, scriptedReplies } from '../testing/scriptedReplies.ts';
import { fakeTool } from '../testing/tools.ts';

/** Recognized by its end: the rest of the request is the turn's own, byte for byte. */
function asksForSummary(request: ModelRequest | undefined): boolean {
  return JSON.stringify(request?.messages.at(-1) ?? '').includes('about to be replaced by a summary');
}

/**
 * Random turns: model answers, hook verdicts, errors, budgets and aborts in any order. Whatever happens, a turn ends,
 * never runs Stop hooks after an API error, keeps to its limits, and leaves no call without a result.
 */

const TOO_LONG = 'prompt is too long: 300000 tokens > 200000 maximum';

function randomReply(dice: Chance, n: number): ScriptedReply {
  const usage = { in: dice.upTo(2_000), out: dice.upTo(900) };
  const call = () => ({ name: dice.pick(['Read', 'Write', 'Nope']), input: dice.maybe(0.9) ? { text: 'x' } : {} });
  const kinds: (() => ScriptedReply)[] = [
    () => ({ text: `answer ${n}`, usage }),
    () => ({ text: `answer ${n}`, usage }),
    () => ({ text: `working ${n}`, tools: [call()], usage }),
    () => ({ tools: [call(), call(), call()], usage }),
    () => ({ text: 'cut', stop: 'max_tokens', usage }),
    () => ({ error: { status: dice.pick([400, 401, 429, 500, 529]), message: 'scripted' } }),
    () => ({ text: 'half', error: { status: 500, message: 'broke off' } }),
    () => ({ error: { status: 400, type: 'invalid_request_error', message: TOO_LONG } }),
  ];
  return dice.pick(kinds)();
}

function randomVerdict(dice: Chance, { event }: HookRequest): Partial<HookVerdict> {
  if (event === 'Stop') {
    return dice.pick<Partial<HookVerdict>>([
      {},
      {},
      { blocks: ['not yet'] },
      { contexts: ['by the way'] },
      { prevented: 'enough' },
    ]);
  }
  if (event === 'PreToolUse') {
    return dice.pick<Partial<HookVerdict>>([
      {},
      {},
      {},
      { permission: { decision: 'deny', reason: 'no' } },
      { updatedInput: { text: 'y' } },
      { prevented: 'halt' },
    ]);
  }
  return dice.pick<Partial<HookVerdict>>([{}, {}, {}, { contexts: ['note'] }, { blocks: ['look again'] }]);
}

function expectPaired(messages: Iterable<ConversationMessage>): void {
  const open = new Set<string>();
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const block of content) {
      if (block.type === 'tool_use') open.add(block.id);
      if (block.type === 'tool_result') expect(open.delete(block.tool_use_id)).toBe(true);
    }
  }
  expect([...open]).toEqual([]);
}

interface Setup {
  readonly cap: number;
  readonly maxTurns: number;
  readonly tokenBudget: number | null;
  readonly maxBudgetUsd: number | undefined;
  readonly abortAt: number;
  /** A Stop hook that is never content. */
  readonly stubborn: boolean;
}

function randomSetup(dice: Chance): Setup {
  return {
    cap: dice.upTo(4),
    maxTurns: 1 + dice.upTo(40),
    tokenBudget: dice.maybe(0.4) ? 500 + dice.upTo(20_000) : null,
    maxBudgetUsd: dice.maybe(0.3) ? 0.002 * (1 + dice.upTo(20)) : undefined,
    abortAt: dice.maybe(0.25) ? dice.upTo(60) : Number.POSITIVE_INFINITY,
    stubborn: dice.maybe(0.3),
  };
}

const EVENTS = ['Stop', 'StopFailure', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure'] as const;

async function randomTurn(seed: number) {
  const dice = chance(seed);
  const setup = randomSetup(dice);
  /** What mattered, in order: `tools`, `stop`, `block`, `error`. */
  const log: string[] = [];
  const answer = (request: HookRequest): Partial<HookVerdict> => {
    if (request.event !== 'Stop') return randomVerdict(dice, request);
    const verdict = setup.stubborn ? { blocks: ['never'] } : randomVerdict(dice, request);
    const sentBack = (verdict.blocks?.length ?? 0) + (verdict.contexts?.length ?? 0) > 0;
    log.push('stop', ...(sentBack ? ['block'] : []));
    return verdict;
  };
  const hooks = fakeHooks(Object.fromEntries(EVENTS.filter(() => dice.maybe(0.7)).map((event) => [event, answer])));
  const model = scriptedReplies((_request, n) => randomReply(dice, n), { id: 'anthropic/claude-sonnet-4-5' });
  const controller = new AbortController();
  let emitted = 0;
  const { cap: stopHookBlockCap, maxTurns, tokenBudget, maxBudgetUsd } = setup;
  const run = await runTurn({
    replies: model,
    tools: [fakeTool('Read', { readOnly: true }), fakeTool('Write')],
    hooks,
    config: { maxRetries: dice.upTo(1), stopHookBlockCap, maxTurns, tokenBudget, maxBudgetUsd },
    deps: { clock: { now: () => 0, sleep: async () => {} } },
    signal: controller.signal,
    onEvent: (event) => {
      if (event.type === 'assistant') {
        if (event.apiError) log.push('error');
        else if (event.message.content.some(({ type }) => type === 'tool_use')) log.push('tools');
      }
      if (++emitted >= setup.abortAt) controller.abort();
    },
  });
  return { setup, hooks, run, model, log, aborted: controller.signal.aborted };
}

/** The most blocked stops in a row with no tool call of the model between them. */
function longestBlockRun(log: readonly string[]): number {
  let run = 0;
  let longest = 0;
  for (const entry of log) {
    if (entry === 'tools') run = 0;
    if (entry === 'block') longest = Math.max(longest, ++run);
  }
  return longest;
}

it.each(Array.from({ length: 400 }, (_, seed) => seed))('turn %d', async (seed) => {
  const { setup, hooks, run, model, log, aborted } = await randomTurn(seed);
  const { terminal, transcript } = run;
  const systemMessages = (subtype: string) =>
    transcript.filter((message) => message.type === 'system' && message.subtype === subtype).length;

  // it ended, with a reason that fits what happened
  if (terminal.reason.startsWith('aborted')) expect(aborted).toBe(true);
  if (setup.maxBudgetUsd === undefined) expect(terminal.reason).not.toBe('budget_exhausted');

  // after an API error no hook decides whether the turn may stop
  const failed = log.indexOf('error');
  if (failed >= 0) expect(log.slice(failed + 1)).toEqual([]);
  const order = hooks.calls.map(({ event }) => event);
  if (order.includes('StopFailure')) expect(order.at(-1)).toBe('StopFailure');

  // limits hold: retries and a summary are the only requests beside the counted ones
  const summaries = model.requests.filter(asksForSummary).length;
  expect(model.requests.length - systemMessages('api_retry') - summaries).toBeLessThanOrEqual(setup.maxTurns);
  if (setup.cap > 0) expect(longestBlockRun(log)).toBeLessThanOrEqual(setup.cap + 1);
  if (terminal.reason === 'stop_hook_capped') expect(terminal.blocks).toBe(setup.cap);

  // compaction once a turn at most, however often the prompt is too long
  expect(systemMessages('compact_boundary')).toBeLessThanOrEqual(1);

  // every call has its result, in every request and in what is kept
  for (const request of model.requests) expectPaired(request.messages);
  const kept = transcript.filter(
    (message) => message.type === 'user' || (message.type === 'assistant' && !message.apiError),
  );
  expectPaired(kept.flatMap((message) => ('message' in message ? [message.message] : [])));

  // what is emitted is what is kept, in the same order
  const ids = new Set(transcript.map(({ uuid }) => uuid));
  const toldIds = run.events.flatMap((event) => ('uuid' in event && ids.has(event.uuid) ? [event.uuid] : []));
  expect(toldIds).toEqual(transcript.map(({ uuid }) => uuid));
});

it('every end was seen', async () => {
  const ends = new Set<string>();
  for (let seed = 0; seed < 400; seed++) ends.add((await randomTurn(seed)).run.terminal.reason);
  expect([...ends].sort()).toEqual([
    'aborted_streaming',
    'aborted_tools',
    'api_error',
    'budget_exhausted',
    'completed',
    'hook_stopped',
    'max_turns',
    'prompt_too_long',
    'stop_hook_capped',
    'stop_hook_prevented',
  ]);
});
