/** A process of its own that has a store open, and does there what it is told: one message, one operation, one answer. */

import { openStore } from '../../src/store/openStore.ts';
import type { OperationName } from '../../src/store/types.ts';

interface Order {
  readonly operation: OperationName;
  readonly request: object;
  /** Dies when it is done, before anybody hears of it. */
  readonly thenDie?: boolean;
}

const [, , spec = '', schema = 'stopgate'] = process.argv;
const store = await openStore(spec, { schema, connections: 1 });
if ('type' in store) throw new Error(store.reason);

process.on('message', async ({ operation, request, thenDie }: Order) => {
  const outcome = await (store[operation] as (asked: object) => Promise<object>)(request);
  if (thenDie) process.kill(process.pid, 'SIGKILL');
  else process.send?.(outcome);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
