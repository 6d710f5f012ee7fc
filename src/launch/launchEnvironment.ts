import { BUDGET_END, BUDGET_END_ALIAS } from '../budget/budgetEnd.ts';
import { type LaunchPlan, lastStretchSeconds } from '../budget/launchPlan.ts';
import { BOOTED_AT, BUDGET_TOTAL, bootedAt, GRACE_END, LAST_STRETCH } from '../stop/clock.ts';
import type { Clock } from '../system/clock.ts';
import { MARKS, REPORTED, SPEND_FILE } from '../system/marks.ts';
import { environmentFor } from '../system/secretPolicy.ts';
import type { LaunchRecord } from './launchRecord.ts';
import type { LaunchRequest } from './launchRequest.ts';

interface LaunchPlace {
  readonly id: string;
  readonly request: Pick<LaunchRequest, 'budgetSeconds' | 'trustProject' | 'checks'>;
  readonly record: Pick<LaunchRecord, 'activityFile' | 'spendFile'>;
  readonly clock: Clock;
  /** Our own agent would print the same lines again. */
  readonly isOwn: boolean;
}

/** The environment of a launched agent and its hooks. */
export function launchEnvironment(
  env: Readonly<Record<string, string>>,
  plan: LaunchPlan,
  { id, request, record, clock, isOwn }: LaunchPlace,
): Readonly<Record<string, string>> {
  return {
    ...environmentFor('launched', env),
    [BUDGET_END]: String(plan.endAt / 1000),
    [BUDGET_END_ALIAS]: String(plan.endAt / 1000),
    [GRACE_END]: String(plan.graceEndAt / 1000),
    [BUDGET_TOTAL]: String(request.budgetSeconds),
    [LAST_STRETCH]: String(lastStretchSeconds(request.budgetSeconds)),
    [BOOTED_AT]: bootedAt(clock),
    // settings of an older Stopgate have a countdown after each call; one after the batch is enough
    STOPGATE_COUNTDOWN: 'PostToolBatch',
    [MARKS.launch]: id,
    STOPGATE_ACTIVITY_FILE: record.activityFile,
    ...(request.trustProject && { STOPGATE_TRUST_PROJECT: '1' }),
    // our own agent, and a folder with `stopgate init`, have stop hooks without this launch
    ...(!request.checks && { STOPGATE_OFF: '1' }),
    ...(isOwn && { [REPORTED]: '1', [SPEND_FILE]: record.spendFile }),
  };
}
