// Appends decisions to a session's ledger and prints each number after its line was written.
import { writeSync } from 'node:fs';
import { recordEntry } from '../../src/stop/ledger.ts';
import { systemClock } from '../../src/system/clock.ts';

const [stopgateHome, session, name, count] = process.argv.slice(2);
const subject = { session, folder: '/p', agent: name, hostPid: process.pid, launch: null, worker: null };
for (let n = 0; n < Number(count); n++) {
  const reason = `${name} ${n} ${'x'.repeat(n % 300)}`;
  const failure = recordEntry(
    { type: 'waiver', check: 'tests', reason, by: name },
    { stopgateHome, clock: systemClock, subject },
  );
  if (failure !== null) throw new Error(failure);
  writeSync(1, `${n}\n`);
}
