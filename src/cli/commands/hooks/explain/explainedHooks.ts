import type { SkippedHook } from '../../../../hooks/configure/configureHooks.ts';
import type { ConfiguredHook } from '../../../../hooks/configuredHook.ts';
import type { EventRow } from '../../../../hooks/events/eventRow.ts';
import { SETTINGS_KINDS } from '../../../../hooks/kinds/settingsKinds.ts';
import type { Selected } from '../../../../hooks/select.ts';
import { timeoutFor } from '../../../../hooks/timeouts.ts';

export interface ExplainedHook {
  readonly hook: ConfiguredHook;
  /** Null when it would run. */
  readonly whyNot: string | null;
  /** How long it may take; null in the background. */
  readonly timeoutMs: number | null;
  /** Whether its file needs trust, and has it. */
  readonly trust: 'trusted' | 'not trusted' | 'needs none';
}

export interface ExplainFacts {
  readonly row: EventRow;
  readonly selected: readonly Selected[];
  readonly skipped: readonly SkippedHook[];
  readonly trusted: boolean;
  readonly budgetOverride: string | undefined;
}

/** Every hook of an event, with whether it would run now, or why not. */
export function explainHooks(facts: ExplainFacts): readonly ExplainedHook[] {
  const { row, selected, skipped, trusted, budgetOverride } = facts;
  const hooks = selected.flatMap((one) => (one.matched ? [one.hook] : []));
  const explain = (hook: ConfiguredHook, whyNot: string | null): ExplainedHook => {
    const kind = SETTINGS_KINDS.find(({ type }) => type === hook.kind);
    const free = hook.settings.async === true && hook.settings.asyncRewake !== true;
    const timeoutMs = free ? null : timeoutFor(hook, { row, kind, hooks, budgetOverride });
    const trust =
      hook.source !== 'project' && hook.source !== 'local' ? 'needs none' : trusted ? 'trusted' : 'not trusted';
    return { hook, whyNot, timeoutMs, trust };
  };
  return [
    ...selected.map((one) => explain(one.hook, one.matched ? null : one.why)),
    ...skipped.filter(({ hook }) => hook.event === row.name).map(({ hook, reason }) => explain(hook, reason)),
  ];
}
