import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { makePlace, runAgent, stopgate } from '../lib/agents.mjs';
import { runContestant } from '../lib/contestant.mjs';
import { startModelServer } from '../lib/modelServer.mjs';
import { bundle } from '../lib/ours.mjs';

const CHILD = path.join(import.meta.dirname, 'recordsChild.mjs');

/** ms of a whole prompt with one Stop command hook, and of what it records, each in a new process. */
export async function measureRecorded(rounds) {
  const records = await bundle('bench/hooks/records.ts', 'records');
  const samples = { turn: [], lines: [], receipt: [] };
  using place = makePlace();
  mkdirSync(path.join(place.project, '.claude'));
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] };
  writeFileSync(path.join(place.project, '.claude/settings.json'), JSON.stringify({ hooks }));
  for (let round = 0; round < rounds + 1; round++) {
    await using server = await startModelServer(() => ({ text: 'Done.' }));
    const startedAt = performance.now();
    await runAgent(stopgate, { place, url: server.url });
    const turn = performance.now() - startedAt;
    const { linesMs, receiptMs } = await runContestant(CHILD, [records, path.join(place.home, 'records')]);
    // the first one compiles and fills the caches
    if (round === 0) continue;
    samples.turn.push(turn);
    samples.lines.push(linesMs);
    samples.receipt.push(receiptMs);
  }
  return samples;
}
