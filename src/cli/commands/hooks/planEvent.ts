import type { ConfiguredHook } from '../../../hooks/configuredHook.ts';
import { firedEvent } from '../../../hooks/firedEvent.ts';
import type { FiredEvent } from '../../../hooks/kind.ts';
import type { HookEventName, HookRequest } from '../../../hooks/types.ts';
import type { HooksAlone } from '../../wiring/openHooksAlone.ts';
import { type EventInput, subjectOf } from './eventInput.ts';
import { type BrokenEntry, brokenEntries } from './list/brokenEntries.ts';

/** An event and every hook that is configured for it. */
export interface EventPlan {
  readonly request: HookRequest;
  readonly event: FiredEvent;
  readonly input: EventInput;
  /** Whether each would run now: `whyNot` is null then. */
  readonly hooks: readonly { readonly hook: ConfiguredHook; readonly whyNot: string | null }[];
  readonly broken: readonly BrokenEntry[];
}

export function planEvent(
  name: HookEventName,
  input: EventInput,
  { runner, gathered, subject }: HooksAlone,
  signal: AbortSignal,
): EventPlan {
  const { hooks, settings } = gathered;
  const request = { event: name, input: input.fields, subject: subjectOf(input, subject), signal };
  const skipped = hooks.skipped.filter(({ hook }) => hook.event === name);
  return {
    request,
    event: firedEvent(request),
    input,
    hooks: [
      ...runner.explain(request).map((one) => ({ hook: one.hook, whyNot: one.matched ? null : one.why })),
      ...skipped.map(({ hook, reason }) => ({ hook, whyNot: reason })),
    ],
    broken: brokenEntries(hooks.problems, settings.merged.hooks).filter(({ event }) => event === name),
  };
}
