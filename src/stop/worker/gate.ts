import { markActivity } from '../activity.ts';
import { PASS } from '../answer.ts';
import type { Gate } from '../gate.ts';
import { workerIdentity } from './workerIdentity.ts';

/** For workers of the fleet: hands over a task, or waits for one. */
export const workerGate: Gate = {
  isSet: (_payload, { env }) => workerIdentity(env) !== null,
  ask: async ({ payload, exemption, world }) => {
    const identity = workerIdentity(world.env);
    if (identity === null || exemption !== null) return PASS;
    const { askWorker } = await import('./askWorker.ts');
    return askWorker(payload, identity, world);
  },
  begin: async (payload, world) => {
    const identity = workerIdentity(world.env);
    if (identity === null) return [];
    markActivity(identity.activityFile);
    const { bindSession } = await import('./askWorker.ts');
    await bindSession(payload, identity, world);
    return [];
  },
};
