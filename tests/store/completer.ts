/** A process that completes one task after the other and says so, each time after the store has acknowledged it. */

import { writeSync } from 'node:fs';
import { openStore } from '../../src/store/openStore.ts';

const [, , spec = '', workerId = '', schema = 'stopgate'] = process.argv;
const store = await openStore(spec, { schema, connections: 1 });
if ('type' in store) throw new Error(store.reason);
const registered = await store.registerWorker({ workerId });
if (registered.type !== 'registered') throw new Error(registered.type);
const { incarnation } = registered;
for (let count = 0; ; count++) {
  const claimed = await store.claim({ workerId, incarnation, claimKey: `${workerId}-${incarnation}-${count}` });
  if (claimed.type !== 'claimed') break;
  const { lease } = claimed;
  const outcome = await store.complete({ lease, result: `by ${lease.attemptId}` });
  if (outcome.type === 'accepted') writeSync(1, `${lease.taskId} ${lease.attemptId}\n`);
}
await store.close();
