// Holds settings as a launch does, in a process of its own that a test can kill: at a step of its choice, or from outside.
// Says `held` and waits for a line, then lets go and says `released`. Arguments: one JSON object.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { hookEntries } from '../../src/hosts/claudeCode/entries.ts';
import { CLAUDE_SETTINGS as format } from '../../src/hosts/claudeCode/wiring.ts';
import { diskEffects } from '../../src/hosts/settings/holdingEffects.ts';
import { holdSettings } from '../../src/hosts/settings/holdSettings.ts';
import { systemClock } from '../../src/system/clock.ts';
import { systemIds } from '../../src/system/ids.ts';

const {
  file,
  stopgateHome,
  features = ['countdown'],
  kind = 'launch',
  killAt,
  when,
  waits = true,
} = JSON.parse(process.argv[2]);
const die = () => process.kill(process.pid, 'SIGKILL');
const steps = [];

/** Every effect counts; at the chosen one the process is killed after it or, for a file, within it. */
const effects = Object.fromEntries(
  Object.entries(diskEffects).map(([name, run]) => [
    name,
    async (...args) => {
      const here = steps.push(name) === killAt;
      if (here && when === 'within' && name === 'writeSettings') {
        const beside = path.join(path.dirname(args[0]), `.${path.basename(args[0])}.stopgate.tmp`);
        writeFileSync(beside, args[1].subarray(0, 5));
        die();
      }
      await run(...args);
      if (here) die();
    },
  ]),
);

const entries = hookEntries(features, {
  packageRoot: '/opt/stopgate',
  stopgate: ['/bin/node', '/opt/stopgate/bin/s.js'],
});
const held = await holdSettings(
  { file, format, kind, entries },
  { stopgateHome, clock: systemClock, ids: systemIds, effects },
);
if (held.type !== 'held') throw new Error(held.reason);
process.stdout.write('held\n');
if (waits) await new Promise((resolve) => process.stdin.once('data', resolve));
const released = await held.release();
if (released.type !== 'released') throw new Error(released.reason);
process.stdout.write(`released ${steps.join(' ')}\n`);
process.exit(0);
