import type { ConfiguredHook } from './configuredHook.ts';
import type { EventRow } from './events/eventRow.ts';
import type { KindFacts } from './kind.ts';

/** Node's timers fire immediately when set to more. */
const LONGEST_MS = 2 ** 31 - 1;
const LONGEST_BUDGET_MS = 60_000;

export interface TimeoutFacts {
  readonly row: Pick<EventRow, 'timeoutMs' | 'sharedBudgetMs'>;
  readonly kind: Pick<KindFacts, 'defaultTimeoutMs'> | undefined;
  /** All hooks that start together. */
  readonly hooks: readonly ConfiguredHook[];
  /** `CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS`. */
  readonly budgetOverride?: string | undefined;
  /** From the caller, in place of the kind's and the event's own. */
  readonly defaultMs?: number | undefined;
}

/** A hook's timeout: its own, the caller's, the kind's or the event's; at most the event's shared budget, if it has one. */
export function timeoutFor({ settings }: ConfiguredHook, facts: TimeoutFacts): number {
  const { row, kind } = facts;
  const own = settings.timeout === undefined ? undefined : settings.timeout * 1000;
  if (row.sharedBudgetMs === undefined)
    return within(own ?? facts.defaultMs ?? kind?.defaultTimeoutMs ?? row.timeoutMs);
  const budget = sharedBudget(row.sharedBudgetMs, facts);
  return within(Math.min(own ?? budget, budget));
}

/** The budget grows to the longest timeout in a settings file, up to a minute; a plugin's timeout does not count. */
function sharedBudget(least: number, { hooks, budgetOverride }: TimeoutFacts): number {
  const override = Number(budgetOverride);
  if (budgetOverride && Number.isFinite(override) && override > 0) return override;
  const timeouts = hooks.flatMap(({ settings, source }) =>
    settings.timeout !== undefined && source !== 'plugin' ? [settings.timeout * 1000] : [],
  );
  return Math.min(LONGEST_BUDGET_MS, Math.max(least, ...timeouts));
}

function within(ms: number): number {
  return Math.min(Math.max(1, Math.ceil(ms)), LONGEST_MS);
}
