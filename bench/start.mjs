import { execFileSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { claudeCode, makePlace, runAgent, stopgate } from './lib/agents.mjs';
import { startModelServer } from './lib/modelServer.mjs';
import { installClaudeCode } from './lib/peers.mjs';
import { goal, row } from './lib/report.mjs';

export const bench = {
  name: 'start',
  about: 'ms from process start to the first request, beside Claude Code and bare Node',
  run,
};

async function run({ quick }) {
  const notes = [
    'Warm: the same home folder as the run before, so compiled code and first-run files are there. Cold: a new home folder each time.',
    'node -e 0 is from process start to exit, for scale.',
  ];
  const peer = await installClaudeCode();
  if (peer.type === 'missing') notes.push(peer.reason);
  const agents = [stopgate, ...(peer.type === 'installed' ? [claudeCode(peer)] : [])];
  const { warm, cold } = await measure(agents, quick ? 3 : 11);
  const theirs = peer.type === 'installed' ? warm[peer.label] : undefined;
  return {
    rows: [row('start to first request, warm', 'ms', warm), row('start to first request, cold', 'ms', cold)],
    goals: theirs ? [goal('start to first request, × Claude Code', { ours: warm.stopgate, theirs, limit: 0.35 })] : [],
    notes,
  };
}

async function measure(agents, rounds) {
  const samples = () => Object.fromEntries([...agents.map(({ label }) => [label, []]), ['node -e 0', []]]);
  const warm = samples();
  const cold = samples();
  using places = new DisposableStack();
  const placed = agents.map((agent) => ({ agent, place: places.use(makePlace()) }));
  for (const { agent, place } of placed) await firstRequestMs(agent, place);
  for (let round = 0; round < rounds; round++) {
    for (const { agent, place } of placed) warm[agent.label].push(await firstRequestMs(agent, place));
    for (const { agent } of placed) cold[agent.label].push(await coldMs(agent));
    warm['node -e 0'].push(bareNodeMs());
    cold['node -e 0'].push(bareNodeMs());
  }
  return { warm, cold };
}

async function coldMs(agent) {
  using place = makePlace();
  return await firstRequestMs(agent, place);
}

async function firstRequestMs(agent, place) {
  await using server = await startModelServer(() => ({ text: 'Done.' }));
  const { startedAt } = await runAgent(agent, { place, url: server.url });
  const [first] = server.requests;
  if (!first) throw new Error(`${agent.label} sent no request`);
  return first.at - startedAt;
}

function bareNodeMs() {
  const startedAt = performance.now();
  execFileSync(process.execPath, ['-e', '0']);
  return performance.now() - startedAt;
}
