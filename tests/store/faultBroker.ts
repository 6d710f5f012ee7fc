/** Serves a file to the workers of the fault test until it is killed, or its parent is gone. */
import { openStore } from '../../src/store/openStore.ts';

const spec = process.argv[2] ?? '';
const store = await openStore(spec, { serve: true });
if ('type' in store) throw new Error(store.reason);
process.on('disconnect', () => process.exit());
process.send?.('serving');
