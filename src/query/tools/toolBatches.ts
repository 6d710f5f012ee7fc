import type { PreparedCall } from './prepareCall.ts';
import type { MayStart } from './sideBySide.ts';

/** How many read-only calls run side by side: enough to hide latency, few enough not to exhaust file handles. */
const MAX_PARALLEL_CALLS = 10;

/**
 * Splits a round of calls into batches that run one after the other. Neighboring calls that may run side by side share a
 * batch; any other call is alone in its batch, so that what it changes is seen by those after it.
 */
export function toolBatches(calls: readonly PreparedCall[]): PreparedCall[][] {
  const batches: PreparedCall[][] = [];
  for (const call of calls) {
    const last = batches.at(-1);
    if (last && call.parallel && last[0]?.parallel) last.push(call);
    else batches.push([call]);
  }
  return batches;
}

export interface BatchLimits {
  readonly maxConcurrentSubagents: number;
  /** A limit in dollars is only known to hold when one subagent at a time can spend. */
  readonly maxBudgetUsd: number | undefined;
}

/** Which calls of a batch may start: subagents and plain calls are counted apart. */
export function batchOrder(batch: readonly PreparedCall[], limits: BatchLimits): MayStart {
  const subagents = limits.maxBudgetUsd === undefined ? limits.maxConcurrentSubagents : 1;
  const isSubagent = (index: number) => batch[index]?.call.name === 'Agent';
  return (index, running) => {
    const same = [...running].filter((other) => isSubagent(other) === isSubagent(index)).length;
    return same < (isSubagent(index) ? subagents : MAX_PARALLEL_CALLS);
  };
}
