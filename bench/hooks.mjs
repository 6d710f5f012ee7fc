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
  const engine = await measureEngine(quick ? 2 : 9);
  const agents = [stopgate, ...(peer.type === 'installed' ? [claudeCode(peer)] : [])];
  const turns = await measureAddedMs(agents, quick ? 2 : 9);
  notes.push(
    `The large process had ${Math.round(Math.min(...engine.largeMb))} MB resident, the small one ${Math.round(Math.max(...engine.smallMb))} MB.`,
  );
  return {
    rows: [...engineRows(engine), ...turnRows(turns)],
    goals: [...engineGoals(engine), ...(peer.type === 'installed' ? turnGoals(turns, peer.label) : [])],
    notes,
  };
}

async function measureEngine(rounds) {
  const engine = await bundle('bench/hooks/engine.mjs', 'hookEngine');
  const ask = (mode, setup) => runContestant(CHILD, [mode, JSON.stringify({ engine, helperScript: HELPER, ...setup })]);
  const seen = { small: [], large: [], functions: [] };
  for (let round = 0; round < rounds; round++) {
    seen.small.push(await ask('commands', { residentMb: SMALL_MB, warmUp: 20, rounds: 60 }));
    seen.large.push(await ask('commands', { residentMb: LARGE_MB, warmUp: 10, rounds: 30 }));
    seen.functions.push(await ask('functions', { warmUp: 40, rounds: 40 }));
  }
  return {
    small: samples(seen.small),
    large: samples(seen.large),
    functions: samples(seen.functions),
    smallMb: seen.small.map(({ residentMb }) => residentMb),
    largeMb: seen.large.map(({ residentMb }) => residentMb),
  };
}

/** A list of results of the same shape as lists of figures by name. */
function samples(results) {
  return Object.fromEntries(Object.keys(results[0]).map((name) => [name, results.map((result) => result[name])]));
}

function engineRows({ small, large, functions }) {
  return [
    row('one command hook, in the engine', 'ms', { stopgate: small.hook, 'raw spawn': small.spawn }),
    row('ten command hooks, in the engine', 'ms', { stopgate: small.tenHooks, 'ten raw spawns': small.tenSpawns }),
    row(`one command hook at ${LARGE_MB} MB`, 'ms', {
      stopgate: large.hook,
      [`stopgate at ${SMALL_MB} MB`]: small.hook,
      'raw spawn': large.spawn,
      [`raw spawn at ${SMALL_MB} MB`]: small.spawn,
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

function engineGoals({ small, large, functions }) {
  const onceUs = functions.answers.map(() => 1);
  return [
    goal('one command hook, in spawns of sh -c true', { ours: small.hook, theirs: small.spawn, limit: 1.2 }),
    goal(`a command hook at ${LARGE_MB} MB, × that at ${SMALL_MB}`, {
      ours: large.hook,
      theirs: small.hook,
      limit: 1.2,
    }),
    goal('a function hook, µs', { ours: functions.answers, theirs: onceUs, limit: 20 }),
  ];
}

function turnGoals({ added }, label) {
  const beside = (kind, limit) => ({ ours: added[kind].stopgate, theirs: added[kind][label], limit });
  return [
    goal('ten command hooks, × what they add to Claude Code', beside('ten', 0.5)),
    goal('an http hook, × what it adds to Claude Code', beside('http', 0.4)),
  ];
}
