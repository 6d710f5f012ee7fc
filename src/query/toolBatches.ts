import type { PreparedCall } from './prepareCall.ts';

/** How many read-only calls run at once: enough to hide latency, few enough not to exhaust file handles. */
export const MAX_PARALLEL_CALLS = 10;

/**
 * Splits a round of calls into batches that run one after the other. Neighbouring read-only calls share a batch and
 * run side by side; any other call is alone in its batch, so that what it changes is seen by those after it.
 */
export function toolBatches(calls: readonly PreparedCall[]): PreparedCall[][] {
  const batches: PreparedCall[][] = [];
  for (const call of calls) {
    const last = batches.at(-1);
    const joins = last && call.parallel && last[0]?.parallel && last.length < MAX_PARALLEL_CALLS;
    if (joins) last.push(call);
    else batches.push([call]);
  }
  return batches;
}
