import { type LaunchPlan, lastStretchSeconds } from '../../budget/launchPlan.ts';
import { MARKS } from '../../system/marks.ts';
import { BUDGET_END, BUDGET_END_ALIAS, GRACE_END, LAST_STRETCH } from '../gates/hookClock.ts';

export interface LaunchPlace {
  readonly id: string;
  readonly budgetSeconds: number;
  readonly activityFile: string;
  readonly trustProject: boolean;
}

/** What a launched agent and its hooks find in their environment. */
export function launchEnvironment(
  env: Readonly<Record<string, string>>,
  plan: LaunchPlan,
  place: LaunchPlace,
): Readonly<Record<string, string>> {
  return {
    ...env,
    [BUDGET_END]: String(plan.endAt / 1000),
    [BUDGET_END_ALIAS]: String(plan.endAt / 1000),
    [GRACE_END]: String(plan.graceEndAt / 1000),
    [LAST_STRETCH]: String(lastStretchSeconds(place.budgetSeconds)),
    [MARKS.launch]: place.id,
    STOPGATE_ACTIVITY_FILE: place.activityFile,
    ...(place.trustProject && { STOPGATE_TRUST_PROJECT: '1' }),
  };
}
