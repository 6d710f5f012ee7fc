import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makePlace } from '../lib/agents.mjs';
import { balancedMedian } from '../lib/statistics.mjs';
import { startHookServer } from './hookServer.mjs';
import { inLockstep } from './lockstep.mjs';

const TURNS = 40;
/** The first turns compile code and open connections. */
const WARM_UP_TURNS = 5;
const command = (n) => ({ type: 'command', command: `true ${n}` });

/** The settings of a project; each hook runs before every Read. */
const KINDS = {
  one: () => [command(1)],
  ten: () => Array.from({ length: 10 }, (_, n) => command(n)),
  http: (url) => [{ type: 'http', url }],
};

/**
 * ms that hooks add to a tool turn of each agent, one sample per round: the median difference between each turn with them
 * and the same turn without, of two runs in lockstep, as the model server sees them.
 */
export async function measureAddedMs(agents, rounds) {
  const sides = () => Object.fromEntries(agents.map(({ label }) => [label, []]));
  const added = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, sides()]));
  const bare = sides();
  await using hookServer = await startHookServer();
  using places = new DisposableStack();
  const seats = agents.map((agent) => ({
    agent,
    without: places.use(makePlace()),
    withHooks: places.use(makePlace()),
  }));
  for (const { agent, withHooks } of seats) await checkThatHooksRun(agent, withHooks);
  for (let round = 0; round < rounds; round++) {
    for (const [kind, hooksOf] of Object.entries(KINDS)) {
      const callsBefore = hookServer.calls();
      const pairs = await measurePairs(seats, hooksOf(hookServer.url));
      for (const [n, { label }] of agents.entries()) {
        bare[label].push(pairs[n].withoutMs);
        added[kind][label].push(pairs[n].addedMs);
      }
      const calls = hookServer.calls() - callsBefore;
      const expected = kind === 'http' ? agents.length * TURNS : 0;
      if (calls !== expected) throw new Error(`the http hook was called ${calls} times, not ${expected}`);
    }
  }
  return { bare, added };
}

async function measurePairs(seats, hooks) {
  const runs = seats.flatMap(({ agent, without, withHooks }) => [
    readingRun(agent, without, []),
    readingRun(agent, withHooks, hooks),
  ]);
  const times = (await inLockstep(runs, TURNS)).map((turns) => turns.slice(WARM_UP_TURNS));
  return seats.map((_, n) => {
    const [without, withHooks] = [times[2 * n], times[2 * n + 1]];
    const added = withHooks.map((ms, turn) => ms - without[turn]);
    return { withoutMs: balancedMedian(without), addedMs: balancedMedian(added) };
  });
}

/** Measured commands leave no trace, so a command that does runs first. */
async function checkThatHooksRun(agent, place) {
  const trace = path.join(place.project, 'ran');
  using other = makePlace();
  const touch = { type: 'command', command: `touch ${trace}` };
  await inLockstep([readingRun(agent, other, []), readingRun(agent, place, [touch])], TURNS);
  if (!existsSync(trace)) throw new Error(`${agent.label} ran no hook`);
}

/** A prompt whose model reads the same short file at every turn. */
function readingRun(agent, place, hooks) {
  const file = path.join(place.project, 'note.txt');
  writeFileSync(file, 'A note\nis short.\n');
  writeSettings(place.project, hooks);
  const answer = (n) => (n < TURNS ? { name: 'Read', input: { file_path: file } } : { text: 'Done.' });
  return { agent, place, allowedTools: ['Read'], answer };
}

function writeSettings(project, hooks) {
  const folder = path.join(project, '.claude');
  mkdirSync(folder, { recursive: true });
  const settings = hooks.length === 0 ? {} : { hooks: { PreToolUse: [{ matcher: 'Read', hooks }] } };
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(settings));
}
