import type { EngineOperation } from '../operationsOver.ts';
import type { OperationName } from '../outcomes.ts';
import * as accounts from './operations/accounts.ts';
import * as addTasks from './operations/addTasks.ts';
import * as amendTask from './operations/amendTask.ts';
import * as changeTask from './operations/changeTask.ts';
import * as claim from './operations/claim.ts';
import * as move from './operations/move.ts';
import * as offers from './operations/offers.ts';
import * as reads from './operations/reads.ts';
import * as ready from './operations/ready.ts';
import * as reap from './operations/reap.ts';
import * as settle from './operations/settle.ts';
import * as verification from './operations/verification.ts';
import * as workers from './operations/workers.ts';
import type { Operation, Tables } from './tables.ts';

const operations = {
  ...accounts,
  ...addTasks,
  ...amendTask,
  ...changeTask,
  ...claim,
  ...move,
  ...offers,
  ...reads,
  ...ready,
  ...reap,
  ...settle,
  ...verification,
  ...workers,
} satisfies { readonly [Name in Exclude<OperationName, 'about'>]: Operation<Name> };

/** Each runs inside a transaction; a write has its lock from the start. */
export const OPERATIONS: Readonly<Record<EngineOperation, (tables: Tables, request: never) => object>> = operations;
