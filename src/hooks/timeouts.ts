import type { ConfiguredHook } from './configuredHook.ts';
import type { EventRow } from './events/eventRow.ts';
import type { KindFacts } from './kind.ts';

/** Node's timers fire at once when asked for more. */
const LONGEST_MS = 2 ** 31 - 1;
const LONGEST_BUDGET_MS = 60_000;

export interface TimeoutFacts {
  readonly row: Pick<EventRow, 'timeoutMs' | 'sharedBudgetMs'>;
  readonly kind: Pick<KindFacts, 'defaultTimeoutMs'> | undefined;
  /** All hooks that start together. */
  readonly hooks: readonly ConfiguredHook[];
  /** `CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS`. */
  readonly budgetOverride?: string | undefined;
  /** From the code that asks, in place of the kind's and the event's own. */
  readonly defaultMs?: number | undefined;
}

/** How long a hook may take: its own word, the caller's, the kind's, the event's; on an event with a shared budget, never more. */
export function timeoutFor({ settings }: ConfiguredHook, facts: TimeoutFacts): number {
  const { row, kind } = facts;
  const own = settings.timeout === undefined ? undefined : settings.timeout * 1000;
  if (row.sharedBudgetMs === undefined)
    return within(own ?? facts.defaultMs ?? kind?.defaultTimeoutMs ?? row.timeoutMs);
  const budget = sharedBudget(row.sharedBudgetMs, facts);
  return within(Math.min(own ?? budget, budget));
}

/** The budget grows to the longest timeout that a settings file asks for, up to a minute; a plugin cannot ask. */
function sharedBudget(least: number, { hooks, budgetOverride }: TimeoutFacts): number {
  const override = Number(budgetOverride);
  if (budgetOverride && Number.isFinite(override) && override > 0) return override;
  const asked = hooks.flatMap(({ settings, source }) =>
    settings.timeout !== undefined && source !== 'plugin' ? [settings.timeout * 1000] : [],
  );
  return Math.min(LONGEST_BUDGET_MS, Math.max(least, ...asked));
}

function within(ms: number): number {
  return Math.min(Math.max(1, Math.ceil(ms)), LONGEST_MS);
}
