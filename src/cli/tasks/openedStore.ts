/** What the commands know of a store, in one line of imports. */
export type * from '../../store/types.ts';
export { available, StoreUnavailableError } from '../../store/unavailable.ts';
