import { configureHooks } from '../../src/hooks/configure/configureHooks.ts';
import type { ConfiguredHook } from '../../src/hooks/configuredHook.ts';
import { createHookRunner, type HookRunnerOptions } from '../../src/hooks/createHookRunner.ts';
import { firedEvent } from '../../src/hooks/firedEvent.ts';
import type { FiredEvent, HookContext, HookKind } from '../../src/hooks/kind.ts';
import type { HookOutcome } from '../../src/hooks/outcome.ts';
import type { HookEvent, HookEventName, HookRequest, HookVerdict } from '../../src/hooks/types.ts';
import { systemClock } from '../../src/system/clock.ts';

/** Builders for tests of hooks. */

export const testSubject = (cwd = process.cwd()) => ({
  sessionId: 'session-1',
  transcriptPath: '/tmp/t.jsonl',
  cwd,
  permissionMode: 'default',
});

export function testRequest(event: HookEventName, input: object = {}, more: Partial<HookRequest> = {}): HookRequest {
  return { event, input: { ...input }, subject: testSubject(), signal: new AbortController().signal, ...more };
}

export const testEvent = (name: HookEventName, input: object = {}, more: Partial<HookRequest> = {}): FiredEvent =>
  firedEvent(testRequest(name, input, more));

/** The hooks of a settings value; throws when it has problems. */
export function testHooks(value: unknown): readonly ConfiguredHook[] {
  const { hooks, problems } = configureHooks([{ source: 'user', file: 'settings.json', value }]);
  const broken = problems.filter((problem) => problem.effect === 'disabled');
  if (broken.length > 0) throw new Error(JSON.stringify(broken));
  return hooks;
}

export function testHook(entry: object, event: HookEventName = 'Stop'): ConfiguredHook {
  const [hook] = testHooks({ [event]: [entry] });
  if (hook === undefined) throw new Error('no hook');
  return hook;
}

export function testContext(hook: ConfiguredHook, more: Partial<HookContext> = {}): HookContext {
  return {
    hook,
    signal: new AbortController().signal,
    timeoutMs: hook.settings.timeout === undefined ? 20_000 : hook.settings.timeout * 1000,
    projectDir: process.cwd(),
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
    secret: () => undefined,
    clock: systemClock,
    lastText: () => undefined,
    ...more,
  };
}

/** Runs one entry through one kind. */
export function runHook(
  kind: HookKind,
  entry: object,
  {
    event = testEvent('Stop', { stop_hook_active: false }),
    ...more
  }: Partial<HookContext> & { event?: FiredEvent } = {},
): Promise<HookOutcome> {
  const hook = testHook(entry, event.name);
  return kind.run(hook.settings, event, testContext(hook, more));
}

export function testRunner(options: Pick<HookRunnerOptions, 'configured' | 'kinds'> & Partial<HookRunnerOptions>) {
  return createHookRunner({
    projectDir: process.cwd(),
    spill: () => '/tmp/spilled',
    env: { PATH: process.env.PATH },
    ...options,
  });
}

export interface Seen {
  readonly events: readonly HookEvent[];
  readonly verdict: HookVerdict;
}

export async function seeAll(run: AsyncGenerator<HookEvent, HookVerdict>): Promise<Seen> {
  const events: HookEvent[] = [];
  for (let next = await run.next(); ; next = await run.next()) {
    if (next.done) return { events, verdict: next.value };
    events.push(next.value);
  }
}

/** The types of what was seen, for a test about order. */
export function typesOf(events: readonly HookEvent[]): readonly string[] {
  return events.map((event) => {
    if (event.type === 'attachment') return event.attachment.type;
    return event.type === 'progress' ? String(event.data.type) : event.type;
  });
}
