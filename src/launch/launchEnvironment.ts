import { BUDGET_END, BUDGET_END_ALIAS } from '../budget/budgetEnd.ts';
import { type LaunchPlan, lastStretchSeconds } from '../budget/launchPlan.ts';
import { BOOTED_AT, BUDGET_TOTAL, GRACE_END, LAST_STRETCH } from '../stop/clock.ts';
import { MARKS, REPORTED, SPEND_FILE } from '../system/marks.ts';
import { environmentFor } from '../system/secretPolicy.ts';

export interface LaunchPlace {
  readonly id: string;
  readonly budgetSeconds: number;
  readonly activityFile: string;
  readonly spendFile: string;
  readonly trustProject: boolean;
  /** See `BOOTED_AT`. */
  readonly bootedAt: string;
  readonly checks: boolean;
  /** Our own agent would print the same lines again. */
  readonly isOwn: boolean;
}

/** The environment of a launched agent and its hooks. */
export function launchEnvironment(
  env: Readonly<Record<string, string>>,
  plan: LaunchPlan,
  place: LaunchPlace,
): Readonly<Record<string, string>> {
  return {
    ...environmentFor('launched', env),
    [BUDGET_END]: String(plan.endAt / 1000),
    [BUDGET_END_ALIAS]: String(plan.endAt / 1000),
    [GRACE_END]: String(plan.graceEndAt / 1000),
    [BUDGET_TOTAL]: String(place.budgetSeconds),
    [LAST_STRETCH]: String(lastStretchSeconds(place.budgetSeconds)),
    [BOOTED_AT]: place.bootedAt,
    // settings of an older Stopgate have a countdown after each call; one after the batch is enough
    STOPGATE_COUNTDOWN: 'PostToolBatch',
    [MARKS.launch]: place.id,
    STOPGATE_ACTIVITY_FILE: place.activityFile,
    ...(place.trustProject && { STOPGATE_TRUST_PROJECT: '1' }),
    // our own agent, and a folder with `stopgate init`, have stop hooks without this launch
    ...(!place.checks && { STOPGATE_OFF: '1' }),
    ...(place.isOwn && { [REPORTED]: '1', [SPEND_FILE]: place.spendFile }),
  };
}
