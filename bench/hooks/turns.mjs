import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makePlace, runAgent } from '../lib/agents.mjs';
import { startModelServer } from '../lib/modelServer.mjs';
import { summary } from '../lib/statistics.mjs';
import { startHookServer } from './hookServer.mjs';

const TURNS = 40;
const command = (n) => ({ type: 'command', command: `true ${n}` });

/** What stands in the settings of a project; each is asked before every Read. */
const KINDS = {
  none: () => [],
  one: () => [command(1)],
  ten: () => Array.from({ length: 10 }, (_, n) => command(n)),
  http: (url) => [{ type: 'http', url }],
};

/**
 * ms that hooks add to a tool turn of each agent, a sample a round: a turn with them less the turn without that was
 * measured just before, both as the model server sees them.
 */
export async function measureAddedMs(agents, rounds) {
  const added = Object.fromEntries(['one', 'ten', 'http'].map((kind) => [kind, emptySides(agents)]));
  const bare = emptySides(agents);
  await using hookServer = await startHookServer();
  using places = new DisposableStack();
  const placed = agents.map((agent) => ({ agent, place: places.use(makePlace()) }));
  for (const { agent, place } of placed) await checkThatHooksRun(agent, place);
  for (let round = 0; round < rounds; round++) {
    for (const kind of ['one', 'ten', 'http']) {
      for (const { agent, place } of placed) {
        const without = await turnMs(agent, place, { kind: 'none', hookServer });
        const withHooks = await turnMs(agent, place, { kind, hookServer });
        bare[agent.label].push(without);
        added[kind][agent.label].push(withHooks - without);
      }
    }
  }
  return { bare, added };
}

/** Commands that are measured leave no trace, so one that does goes first; it also warms the agent up. */
async function checkThatHooksRun(agent, place) {
  const trace = path.join(place.project, 'ran');
  await runTurns(agent, place, [{ type: 'command', command: `touch ${trace}` }]);
  if (!existsSync(trace)) throw new Error(`${agent.label} ran no hook`);
}

const emptySides = (agents) => Object.fromEntries(agents.map(({ label }) => [label, []]));

async function turnMs(agent, place, { kind, hookServer }) {
  const callsBefore = hookServer.calls();
  const ms = await runTurns(agent, place, KINDS[kind](hookServer.url));
  const calls = hookServer.calls() - callsBefore;
  if (kind === 'http' && calls !== TURNS) throw new Error(`${agent.label} asked the http hook ${calls} times`);
  return ms;
}

async function runTurns(agent, place, hooks) {
  const file = path.join(place.project, 'note.txt');
  writeFileSync(file, 'A note\nis short.\n');
  writeSettings(place.project, hooks);
  await using server = await startModelServer((n) =>
    n < TURNS ? { name: 'Read', input: { file_path: file } } : { text: 'Done.' },
  );
  await runAgent(agent, { place, url: server.url, allowedTools: ['Read'] });
  return medianGapMs(agent.label, server.requests);
}

function writeSettings(project, hooks) {
  const folder = path.join(project, '.claude');
  mkdirSync(folder, { recursive: true });
  const settings = hooks.length === 0 ? {} : { hooks: { PreToolUse: [{ matcher: 'Read', hooks }] } };
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(settings));
}

/** The median, not the mean: what an agent does once in a while is no hook's doing. */
function medianGapMs(label, requests) {
  if (requests.length !== TURNS + 1) throw new Error(`${label} sent ${requests.length} requests, not ${TURNS + 1}`);
  return summary(requests.slice(1).map(({ at }, n) => at - requests[n].at)).median;
}
