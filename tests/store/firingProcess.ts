/** A process that fires what is due, again and again, by a store whose clock the test shifts; it reports each task that it added. */

import { readFileSync, writeSync } from 'node:fs';
import { fireDue } from '../../src/fleet/schedule/fireDue.ts';
import { openStore } from '../../src/store/openStore.ts';
import { openFileStore } from '../../src/store/sqlite/openFile.ts';

const [, , spec = '', clockFile = '', name = ''] = process.argv;
/** Written by the test; SQLite stores take their time from here. */
const now = () => Number(readFileSync(clockFile, 'utf8'));
const clock = { now, wall: now, sleep: async () => {} };
const isServer = spec.startsWith('postgres:');
const store = isServer ? await openStore(spec, { connections: 1 }) : await openFileStore({ path: spec, clock });
if ('type' in store) throw new Error(store.reason);
for (;;) {
  await fireDue(store, name, (sentence) => writeSync(1, `${name}: ${sentence}\n`));
  await new Promise((resolve) => setTimeout(resolve, 5));
}
