import { amendCases } from './storeContract/amendCases.ts';
import { claimCases } from './storeContract/claimCases.ts';
import { eventCases } from './storeContract/eventCases.ts';
import { heartbeatCases } from './storeContract/heartbeatCases.ts';
import { nextCases } from './storeContract/nextCases.ts';
import { offerCases } from './storeContract/offerCases.ts';
import { settlementCases } from './storeContract/settlementCases.ts';
import type { Cases, StoreCase } from './storeContract/storeCase.ts';
import { taskCases } from './storeContract/taskCases.ts';
import { workerCases } from './storeContract/workerCases.ts';

export type { StoreCase, StoreTools } from './storeContract/storeCase.ts';

/** What every store must do: run each case with a fresh store; it throws when something does not hold. */
export const storeContract: readonly StoreCase[] = [
  ...casesOf('claim', claimCases),
  ...casesOf('offer', offerCases),
  ...casesOf('heartbeat', heartbeatCases),
  ...casesOf('settlement', settlementCases),
  ...casesOf('next', nextCases),
  ...casesOf('task', taskCases),
  ...casesOf('amend', amendCases),
  ...casesOf('worker', workerCases),
  ...casesOf('event', eventCases),
];

function casesOf(group: string, cases: Cases): StoreCase[] {
  return Object.entries(cases).map(([name, run]) => ({ name: `${group}: ${name}`, run }));
}
