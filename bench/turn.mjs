import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { claudeCode, makePlace, runAgent, stopgate } from './lib/agents.mjs';
import { runContestant } from './lib/contestant.mjs';
import { startModelServer } from './lib/modelServer.mjs';
import { installClaudeCode } from './lib/peers.mjs';
import { goal, row } from './lib/report.mjs';

export const bench = {
  name: 'turn',
  about: 'ms a tool turn against one loopback model server, beside Claude Code',
  run,
};

const TURNS = 50;
const BARE_CLIENT = path.join(import.meta.dirname, 'lib', 'bareClient.mjs');

const KINDS = {
  Read: {
    allowedTools: ['Read'],
    call: (n, project) => ({ name: 'Read', input: { file_path: noteFile(project, n) } }),
  },
  'Bash true': {
    allowedTools: ['Bash(true)'],
    call: () => ({ name: 'Bash', input: { command: 'true', description: 'Do nothing' } }),
  },
};

async function run({ quick }) {
  const notes = [
    `A turn is the time from one request to the next as the server sees it, over ${TURNS} tool turns of one prompt; the bare client only sends a small request and reads the reply.`,
  ];
  const peer = await installClaudeCode();
  if (peer.type === 'missing') notes.push(peer.reason);
  const agents = [stopgate, ...(peer.type === 'installed' ? [claudeCode(peer)] : [])];
  const rows = [];
  const goals = [];
  for (const [what, kind] of Object.entries(KINDS)) {
    const sides = await measure(agents, kind, quick ? 2 : 7);
    rows.push(row(`a turn: ${what}`, 'ms', sides));
    const theirs = peer.type === 'installed' ? sides[peer.label] : undefined;
    if (theirs) goals.push(goal(`a turn (${what}), × Claude Code`, { ours: sides.stopgate, theirs, limit: 0.25 }));
  }
  return { rows, goals, notes };
}

async function measure(agents, kind, rounds) {
  const sides = Object.fromEntries(agents.map(({ label }) => [label, []]));
  sides['bare client'] = [];
  using places = new DisposableStack();
  const placed = agents.map((agent) => ({ agent, place: places.use(makeProject()) }));
  for (let round = 0; round < rounds; round++) {
    for (const { agent, place } of placed) sides[agent.label].push(await agentTurnMs(agent, place, kind));
    sides['bare client'].push(await bareTurnMs());
  }
  return sides;
}

async function agentTurnMs(agent, place, { allowedTools, call }) {
  await using server = await startModelServer((n) => (n < TURNS ? call(n, place.project) : { text: 'Done.' }));
  await runAgent(agent, { place, url: server.url, allowedTools });
  return turnMs(agent.label, server.requests);
}

async function bareTurnMs() {
  await using server = await startModelServer(() => ({ text: 'Done.' }));
  await runContestant(BARE_CLIENT, [server.url, String(TURNS + 1)]);
  return turnMs('the bare client', server.requests);
}

function turnMs(label, requests) {
  if (requests.length !== TURNS + 1) throw new Error(`${label} sent ${requests.length} requests, not ${TURNS + 1}`);
  const first = requests[0].at;
  const last = requests.at(-1).at;
  return (last - first) / TURNS;
}

function makeProject() {
  const place = makePlace();
  for (let n = 0; n < TURNS; n++) writeFileSync(noteFile(place.project, n), `Note ${n}\nis short.\n`);
  return place;
}

const noteFile = (project, n) => path.join(project, `note-${n}.txt`);
