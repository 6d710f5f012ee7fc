import { LARGE_MB, measureEngines, SMALL_MB } from './hooks/engines.mjs';
import { measureRecorded } from './hooks/recorded.mjs';
import { measureAddedMs } from './hooks/turns.mjs';
import { claudeCode, stopgate } from './lib/agents.mjs';
import { installClaudeCode } from './lib/peers.mjs';
import { goal, row } from './lib/report.mjs';

export const bench = {
  name: 'hooks',
  about: 'what command, http and function hooks add to a turn, beside Claude Code and raw spawns',
  run,
};

async function run({ quick }) {
  const notes = [
    "In the engine: createHookRunner and its run, each hook `true`, beside Node's own `spawn('sh', ['-c', 'true'])` with the three pipes a hook needs.",
    'Added to a turn: Read turns of a headless run with PreToolUse hooks less those of one without, in lockstep, as the model server sees them. The http hook server answers immediately and keeps its connections.',
  ];
  const peer = await installClaudeCode();
  if (peer.type === 'missing') notes.push(peer.reason);
  const rounds = quick ? 2 : 9;
  const { samples, smallMb, largeMb } = await measureEngines(rounds);
  notes.push(`The small process had ${smallMb} MB resident in the end, the large one ${largeMb} MB.`);
  const agents = [stopgate, ...(peer.type === 'installed' ? [claudeCode(peer)] : [])];
  const turns = await measureAddedMs(agents, rounds);
  const recorded = await measureRecorded(rounds);
  notes.push(
    'Records: the lines of a turn in the ledger, in a new process, beside a whole `-p` with one Stop command hook. A receipt is written at once only where checks ran.',
  );
  return {
    rows: [...engineRows(samples), ...turnRows(turns), ...recordRows(recorded)],
    goals: [
      ...engineGoals(samples),
      ...recordGoals(recorded),
      ...(peer.type === 'installed' ? turnGoals(turns, peer.label) : []),
    ],
    notes,
  };
}

function engineRows({ oneHook, oneSpawn, largeHook, largeSpawn, tenHooks, tenSpawns, answers, watches }) {
  return [
    row('one command hook, in the engine', 'ms', { stopgate: oneHook, 'raw spawn': oneSpawn }),
    row('ten command hooks, in the engine', 'ms', { stopgate: tenHooks, 'ten raw spawns': tenSpawns }),
    row(`one command hook at ${LARGE_MB} MB`, 'ms', {
      stopgate: largeHook,
      [`stopgate at ${SMALL_MB} MB`]: oneHook,
      'raw spawn': largeSpawn,
      [`raw spawn at ${SMALL_MB} MB`]: oneSpawn,
    }),
    row('a function hook that answers', 'µs', { stopgate: answers }),
    row('a function hook that watches', 'µs', { stopgate: watches }),
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

function recordRows({ turn, lines, receipt }) {
  return [
    row('the records of a turn', 'ms', { 'ledger lines': lines, 'a turn with one command hook': turn }),
    row('the receipt of a checked stop', 'ms', { receipt }),
  ];
}

const recordGoals = ({ turn, lines }) => [
  goal('the records of a turn, × a turn with one command hook', { ours: lines, theirs: turn, limit: 0.01 }),
];

function engineGoals({ oneHook, oneSpawn, largeHook, answers }) {
  const oneUs = answers.map(() => 1);
  return [
    goal('one command hook, in spawns of sh -c true', { ours: oneHook, theirs: oneSpawn, limit: 1.2 }),
    goal(`a command hook at ${LARGE_MB} MB, × at ${SMALL_MB} MB`, { ours: largeHook, theirs: oneHook, limit: 1.2 }),
    goal('a function hook, µs', { ours: answers, theirs: oneUs, limit: 20 }),
  ];
}

function turnGoals({ added }, label) {
  const beside = (kind, limit) => ({ ours: added[kind].stopgate, theirs: added[kind][label], limit });
  return [
    goal('ten command hooks, × what they add to Claude Code', beside('ten', 0.6)),
    goal('an http hook, × what it adds to Claude Code', beside('http', 0.4)),
  ];
}
