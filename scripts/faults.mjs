// The fault run in full size: node scripts/faults.mjs. It prints the figures; docs/fleet.md says what they mean.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const words = [vitest, 'run', '--maxWorkers=1', 'tests/fleet/faults/faults.test.ts'];
const env = { ...process.env, STOPGATE_FULL_FAULTS: '1' };
process.exitCode = spawnSync(process.execPath, words, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
