import { amendCases } from './storeContract/amendCases.ts';
import { budgetCases } from './storeContract/budgetCases.ts';
import { claimCases } from './storeContract/claimCases.ts';
import { eventCases } from './storeContract/eventCases.ts';
import { heartbeatCases } from './storeContract/heartbeatCases.ts';
import { leaseCases } from './storeContract/leaseCases.ts';
import { limitCases } from './storeContract/limitCases.ts';
import { nextCases } from './storeContract/nextCases.ts';
import { offerCases } from './storeContract/offerCases.ts';
import { pruneCases } from './storeContract/pruneCases.ts';
import { repositoryCases } from './storeContract/repositoryCases.ts';
import { reviewCases } from './storeContract/reviewCases.ts';
import { scheduleCases } from './storeContract/scheduleCases.ts';
import { settlementCases } from './storeContract/settlementCases.ts';
import type { Cases, StoreCase } from './storeContract/storeCase.ts';
import { taskCases } from './storeContract/taskCases.ts';
import { verificationCases } from './storeContract/verificationCases.ts';
import { workerCases } from './storeContract/workerCases.ts';

export type { StoreCase, StoreTools } from './storeContract/storeCase.ts';

const GROUPS: Readonly<Record<string, Cases>> = {
  claim: claimCases,
  offer: offerCases,
  heartbeat: heartbeatCases,
  settlement: settlementCases,
  next: nextCases,
  task: taskCases,
  amend: amendCases,
  budget: budgetCases,
  repository: repositoryCases,
  verification: verificationCases,
  review: reviewCases,
  worker: workerCases,
  lease: leaseCases,
  event: eventCases,
  limit: limitCases,
  schedule: scheduleCases,
  prune: pruneCases,
};

/** What every store must do: run each case with a fresh store; it throws when something does not hold. */
export const storeContract: readonly StoreCase[] = Object.entries(GROUPS).flatMap(([group, cases]) =>
  Object.entries(cases).map(([name, run]) => ({ name: `${group}: ${name}`, run })),
);
