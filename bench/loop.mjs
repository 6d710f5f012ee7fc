import path from 'node:path';
import { runContestant } from './lib/contestant.mjs';
import { compileOurs } from './lib/ours.mjs';
import { installPeer } from './lib/peers.mjs';
import { goal, row } from './lib/report.mjs';

export const bench = {
  name: 'loop',
  about: 'µs a step, growth and memory of one long turn, beside a hand-written loop, pi and the AI SDK',
  run,
};

const CHILD = path.join(import.meta.dirname, 'loop', 'child.mjs');

async function run({ quick }) {
  const notes = [
    'A step is one streamed reply with one tool call, its tool, and the request after it. In-process models; no network. Each figure is the median of 15 runs in a warm process of its own, but for the first row.',
    'Ours includes the conversion of the request for the provider; the hand-written loop keeps its request converted; pi converts in its providers, which are not measured.',
  ];
  const contestants = await gatherContestants(notes);
  const results = new Map(
    contestants.map(({ label }) => [label, { short: [], long: [], growth: [], first: [], peak: [], heap: [] }]),
  );
  for (let round = 0; round < (quick ? 2 : 7); round++) {
    for (const contestant of contestants) await measure(contestant, results.get(contestant.label));
  }
  return { rows: rowsOf(results), goals: goalsOf(results), notes };
}

async function gatherContestants(notes) {
  const [ours, pi, aiSdk] = await Promise.all([compileOurs(), installPeer('pi'), installPeer('aiSdk')]);
  const peers = [
    ['pi', pi],
    ['aiSdk', aiSdk],
  ];
  for (const [, peer] of peers) if (peer.type === 'missing') notes.push(peer.reason);
  return [
    { label: 'stopgate', file: 'ours', setup: ours },
    { label: 'hand-written', file: 'handWritten', setup: {} },
    ...peers
      .filter(([, peer]) => peer.type === 'installed')
      .map(([file, { modules, label }]) => ({ label, file, setup: { modules } })),
  ];
}

async function measure({ file, setup }, into) {
  const measure = (mode) => runContestant(CHILD, [file, mode, JSON.stringify(setup)]);
  const { shortUs, longUs } = await measure('warm');
  const { firstUs, peakMb, heapMb } = await measure('fresh');
  into.first.push(firstUs);
  into.short.push(shortUs);
  into.long.push(longUs);
  into.growth.push(longUs / shortUs);
  into.peak.push(peakMb);
  into.heap.push(heapMb);
}

function rowsOf(results) {
  const sides = (what) => Object.fromEntries([...results].map(([label, samples]) => [label, samples[what]]));
  return [
    row('a step, first 1,000 of a process', 'µs', sides('first')),
    row('a step at 100 steps', 'µs', sides('short')),
    row('a step at 1,000 steps', 'µs', sides('long')),
    row('growth, 1,000 to 100', '×', sides('growth')),
    row('peak memory, 1,000 steps', 'MB', sides('peak')),
    row('heap after 1,000 steps', 'MB', sides('heap')),
  ];
}

function goalsOf(results) {
  const [ours, hand] = results.values();
  const pi = [...results].find(([label]) => label.includes('pi-agent-core'))?.[1];
  return [
    goal('a step at 1,000 steps, × hand-written', { ours: ours.long, theirs: hand.long, limit: 5 }),
    ...(pi ? [goal('a step at 1,000 steps, × pi', { ours: ours.long, theirs: pi.long, limit: 0.5 })] : []),
    goal('growth from 100 to 1,000 steps', { ours: ours.long, theirs: ours.short, limit: 1.2 }),
    goal('peak memory, × hand-written', { ours: ours.peak, theirs: hand.peak, limit: 1.5 }),
  ];
}
