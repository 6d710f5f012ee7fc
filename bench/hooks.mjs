import path from 'node:path';
import { measureAddedMs } from './hooks/turns.mjs';
import { claudeCode, stopgate } from './lib/agents.mjs';
import { REPOSITORY } from './lib/cache.mjs';
import { runContestant } from './lib/contestant.mjs';
import { bundle } from './lib/ours.mjs';
import { installClaudeCode } from './lib/peers.mjs';
import { goal, row } from './lib/report.mjs';

export const bench = {
  name: 'hooks',
  about: 'what command, http and function hooks add to a turn, beside Claude Code and raw spawns',
  run,
};

const CHILD = path.join(import.meta.dirname, 'hooks', 'child.mjs');
const HELPER = path.join(REPOSITORY, 'profiles', 'spawn-helper.pl');
const SMALL_MB = 70;
const LARGE_MB = 520;

async function run({ quick }) {
  const notes = [
    "In the engine: createHookRunner and its run, each hook `true`, beside Node's own `spawn('sh', ['-c', 'true'])` with the three pipes a hook needs, in turns in one process.",
    'Added to a turn: Read turns of a headless run with PreToolUse hooks less the same without, as the model server sees them. The http hook server answers at once and keeps its connections.',
  ];
  const peer = await installClaudeCode();
  if (peer.type === 'missing') notes.push(peer.reason);
  const engine = await measureEngine(quick ? 2 : 7);
  const agents = [stopgate, ...(peer.type === 'installed' ? [claudeCode(peer)] : [])];
  const turns = await measureAddedMs(agents, quick ? 2 : 7);
  notes.push(sizes(engine));
  return {
    rows: [...engineRows(engine), ...turnRows(turns)],
    goals: [...engineGoals(engine), ...(peer.type === 'installed' ? turnGoals(turns, peer.label) : [])],
    notes,
  };
}

async function measureEngine(rounds) {
  const engine = await bundle('bench/hooks/engine.mjs', 'hookEngine');
  const ask = (mode, setup) => runContestant(CHILD, [mode, JSON.stringify({ engine, helperScript: HELPER, ...setup })]);
  const seen = { one: [], large: [], ten: [], functions: [] };
  for (let round = 0; round < rounds; round++) {
    seen.one.push(await ask('commands', { count: 1, residentMb: SMALL_MB, warmUp: 20, rounds: 100 }));
    seen.large.push(await ask('commands', { count: 1, residentMb: LARGE_MB, warmUp: 20, rounds: 100 }));
    seen.ten.push(await ask('commands', { count: 10, residentMb: SMALL_MB, warmUp: 10, rounds: 30 }));
    seen.functions.push(await ask('functions', { warmUp: 40, rounds: 40 }));
  }
  return Object.fromEntries(Object.entries(seen).map(([name, results]) => [name, samples(results)]));
}

function sizes({ one, large }) {
  const small = Math.round(Math.max(...one.residentMb));
  return `Small: at most ${small} MB resident. Large: at least ${Math.round(Math.min(...large.residentMb))} MB.`;
}

/** A list of results of the same shape as lists of figures by name. */
function samples(results) {
  return Object.fromEntries(Object.keys(results[0]).map((name) => [name, results.map((result) => result[name])]));
}

function engineRows({ one, large, ten, functions }) {
  return [
    row('one command hook, in the engine', 'ms', { stopgate: one.hooks, 'raw spawn': one.spawns }),
    row('ten command hooks, in the engine', 'ms', { stopgate: ten.hooks, 'ten raw spawns': ten.spawns }),
    row('one command hook, large process', 'ms', {
      stopgate: large.hooks,
      'stopgate, small': one.hooks,
      'raw spawn': large.spawns,
      'raw spawn, small': one.spawns,
    }),
    row('a function hook that answers', 'µs', { stopgate: functions.answers }),
    row('a function hook that watches', 'µs', { stopgate: functions.watches }),
  ];
}

function turnRows({ bare, added }) {
  return [
    row('a Read turn without hooks', 'ms', bare),
    row('one command hook adds', 'ms', added.one),
    row('ten command hooks add', 'ms', added.ten),
    row('an http hook adds', 'ms', added.http),
  ];
}

function engineGoals({ one, large, functions }) {
  const oneUs = functions.answers.map(() => 1);
  return [
    goal('one command hook, in spawns of sh -c true', { ours: one.hooks, theirs: one.spawns, limit: 1.2 }),
    goal('a command hook, large process × small', { ours: large.hooks, theirs: one.hooks, limit: 1.2 }),
    goal('a function hook, µs', { ours: functions.answers, theirs: oneUs, limit: 20 }),
  ];
}

function turnGoals({ added }, label) {
  const beside = (kind, limit) => ({ ours: added[kind].stopgate, theirs: added[kind][label], limit });
  return [
    goal('ten command hooks, × what they add to Claude Code', beside('ten', 0.5)),
    goal('an http hook, × what it adds to Claude Code', beside('http', 0.4)),
  ];
}
