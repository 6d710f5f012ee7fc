import { type Demand, demandOf } from '../stop/checks/demand.ts';
import { workerIdentity } from '../stop/worker/workerIdentity.ts';
import type { GateWorld } from '../stop/world.ts';
import { MARKS } from '../system/marks.ts';

/** What the user wants from a session, by what started it: for hosts that show nothing more. */
export const demandByStart = async (_payload: unknown, { env }: Pick<GateWorld, 'env'>): Promise<Demand> =>
  demandOf({
    requireProof: false,
    launched: Boolean(env[MARKS.launch]),
    worker: workerIdentity(env) !== null,
    headless: false,
    mayEdit: null,
  });
