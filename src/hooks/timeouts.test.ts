import { describe, expect, it } from 'vitest';
import type { ConfiguredHook, HookSource } from './configuredHook.ts';
import { eventFacts } from './events/eventTable.ts';
import { timeoutFor } from './timeouts.ts';

const hook = (timeout?: number, source: HookSource = 'user'): ConfiguredHook => ({
  event: 'Stop',
  kind: 'command',
  settings: { type: 'command', timeout },
  label: '',
  source,
  file: '',
  path: '',
});
const facts = { kind: {}, hooks: [] };

describe('timeoutFor', () => {
  it.each([
    ['the entry', hook(2.5), { defaultTimeoutMs: 30_000 }, 2_500],
    ['the kind', hook(), { defaultTimeoutMs: 30_000 }, 30_000],
    ['the event', hook(), {}, 600_000],
    ['the longest timer there is', hook(1e9), {}, 2 ** 31 - 1],
  ])('is set by %s', (_, of, kind, ms) => {
    expect(timeoutFor(of, { ...facts, kind, row: eventFacts('Stop') })).toBe(ms);
  });

  it("is the caller's unless the entry sets one", () => {
    const callerFacts = { kind: { defaultTimeoutMs: 30_000 }, hooks: [], row: eventFacts('Stop'), defaultMs: 5_000 };
    expect([timeoutFor(hook(), callerFacts), timeoutFor(hook(9), callerFacts)]).toEqual([5_000, 9_000]);
  });

  it('is 30 s for a prompt and 10 s for a message', () => {
    expect(timeoutFor(hook(), { ...facts, row: eventFacts('UserPromptSubmit') })).toBe(30_000);
    expect(timeoutFor(hook(), { ...facts, row: eventFacts('MessageDisplay') })).toBe(10_000);
  });

  it('is one budget for all at the end of a session', () => {
    const at = (hooks: readonly ConfiguredHook[], budgetOverride?: string) =>
      hooks.map((one) => timeoutFor(one, { kind: {}, row: eventFacts('SessionEnd'), hooks, budgetOverride }));
    expect(at([hook(), hook()])).toEqual([1_500, 1_500]);
    expect(at([hook(), hook(5)])).toEqual([5_000, 5_000]);
    expect(at([hook(), hook(600)])).toEqual([60_000, 60_000]);
    expect(at([hook(), hook(5, 'plugin')])).toEqual([1_500, 1_500]);
    expect(at([hook(1), hook(5)], '3000')).toEqual([1_000, 3_000]);
    expect(at([hook()], 'soon')).toEqual([1_500]);
  });
});
