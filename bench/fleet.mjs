import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startPostgres } from '../tests/support/postgresServer.ts';
import { measureClaims } from './fleet/claims.mjs';
import { measureIdle } from './fleet/idle.mjs';
import { createDatabase, measureReads } from './fleet/reads.mjs';
import { fleetGoals, fleetRows } from './fleet/results.mjs';
import { FULL, QUICK } from './fleet/scenario.mjs';
import { bundle } from './lib/ours.mjs';
import { collectSamples } from './store/samples.mjs';

export const bench = {
  name: 'fleet',
  about: 'what idle workers cost, reads at a million done tasks, claims of three processes with ten workers',
  run,
};

async function run({ quick }) {
  const scenario = quick ? QUICK : FULL;
  const samples = collectSamples();
  const ours = {
    library: await bundle('src/store/openStore.ts', 'openStore'),
    ids: await bundle('src/system/ids.ts', 'ids'),
    status: await bundle('src/cli/commands/fleet/status/gatherFleetStatus.ts', 'gatherFleetStatus'),
  };
  const print = (line) => console.error(line);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'stopgate-bench-'));
  try {
    const common = { folder, ours, scenario, samples, print };
    await measureIdle({ ...common, kind: 'SQLite', placeOf: (name) => path.join(folder, `${name}.db`) });
    await measureReads({ ...common, kind: 'SQLite' });
    {
      await using server = await startPostgres();
      const placeOf = (name) => createDatabase(server, name.replaceAll(/\W/g, '_').toLowerCase().replace(/^/, 'idle_'));
      await measureIdle({ ...common, kind: 'PostgreSQL', server, placeOf });
      await measureReads({ ...common, kind: 'PostgreSQL', server });
    }
    const missing = await measureClaims(common);
    return {
      rows: fleetRows({ scenario, samples }),
      goals: fleetGoals({ scenario, samples }),
      notes: [...NOTES, ...missing],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const NOTES = [
  'Memory is PSS: pages that processes share count once. On PostgreSQL, the connections of the workers on the server are included.',
  'A worker of its own process and 3 × 10 workers use one connection per process, and one more to wait for tasks.',
];
