import { OPERATION_NAMES } from '../operationsOver.ts';
import type { Store, Unavailable } from '../types.ts';

/** A store that could not be opened: every operation has the same answer. */
export function awayStore(unavailable: Unavailable): Pick<Store, keyof Store> {
  const answer = async () => unavailable;
  const operations = Object.fromEntries(OPERATION_NAMES.map((name) => [name, answer])) as unknown as Store;
  const close = async () => {};
  return {
    ...operations,
    waitForWork: answer,
    startMove: answer,
    cancelMove: answer,
    importAll: answer,
    // biome-ignore lint/correctness/useYield: there is nothing to export
    exportAll: async function* () {
      throw new Error(unavailable.reason);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
