import { aroundOperations, OPERATION_KINDS } from '../../store/operationsOver.ts';
import type { OperationName, Store, Unavailable } from '../../store/types.ts';
import type { Clock } from '../../system/clock.ts';
import { formatSeconds } from '../../system/formatDuration.ts';

/**
 * A store that reports once when it stops answering and once when it answers again. Only an accepted change is an answer: a store
 * that is locked or has moved can still be read.
 */
export function noteOutages(store: Store, clock: Clock, report: (sentence: string) => void): Store {
  let awaySince: number | null = null;
  const note = (name: OperationName, outcome: { readonly type: string }) => {
    if (outcome.type === 'unavailable') {
      if (awaySince !== null) return;
      awaySince = clock.now();
      const { cause, reason } = outcome as Unavailable;
      // it does not come back
      report(cause === 'moved' ? reason : `the store cannot be reached; waiting for it: ${reason}`);
    } else if (awaySince !== null && OPERATION_KINDS[name] === 'write') {
      report(`the store can be reached again, after ${formatSeconds(clock.now() - awaySince)}`);
      awaySince = null;
    }
  };
  return aroundOperations(store, (operate, name) => async (request) => {
    const outcome = await operate(request);
    note(name, outcome);
    return outcome;
  });
}
