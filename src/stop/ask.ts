import { markActivity } from './activity.ts';
import { PASS, type StopAnswer, withNotes } from './answer.ts';
import { checksGate } from './checks/gate.ts';
import { hookClock, hookNow } from './clock.ts';
import { notArmedEnding } from './ending.ts';
import {
  INSIDE_CHECK,
  NEVER_BLOCK_WORDS,
  type NeverBlockCode,
  neverBlockCode,
  OWN_MAKING,
  type StopSituation,
} from './exemptions.ts';
import type { Gate, StopQuestion } from './gate.ts';
import { isHostStuck } from './hostStuck.ts';
import { briefReason, claimOf, type NewEntry, recordDecision, recordedEnding } from './ledger.ts';
import { mayDefer, type OpenTasks, openTasks } from './openTasks.ts';
import { type Payload, sessionIdOf } from './payload.ts';
import { isSwitchedOff, stopSituation } from './situation.ts';
import { readStart } from './startFile.ts';
import { workerGate } from './worker/gate.ts';
import { ACTIVITY_FILE } from './worker/workerIdentity.ts';
import type { GateWorld, StopWorld } from './world.ts';

/** In the order of asking: first whether the work is done, then whether a worker is still needed. */
const GATES: readonly Gate[] = [checksGate, workerGate];

/**
 * "May it stop?", in one place: hosts ask through `stopgate hook stop`, our own agent in process. The first gate that blocks
 * decides. Most stops have no gate, so a gate loads what it needs only when it is set.
 */
export async function askStop(payload: Payload, world: StopWorld): Promise<StopAnswer> {
  const gates = GATES.filter((gate) => gate.isSet(payload, world));
  if (gates.length === 0) return { ...PASS, notes: recordUnarmed(payload, world) };
  const file = world.env[ACTIVITY_FILE];
  markActivity(file, 'stopBegan');
  try {
    const situation = situationOf(payload, world);
    const tasks = openTasks(payload);
    const code = neverBlockCode(situation);
    const excess = code !== null && OWN_MAKING.has(code) ? await whyExcess(code, payload, world) : null;
    const isDeferred = code === 'backgroundTasks' && mayDefer(payload, tasks, world);
    const exemption = (code === 'backgroundTasks' && !isDeferred) || excess !== null ? null : code;
    const waited = exemption === null && tasks.commands.length > 0 ? await awaitCommands(tasks, situation, world) : [];
    const lost = code !== null && exemption === null ? [excess ?? lostNote(tasks)] : [];
    const stuck = exemption === 'hostStuck' ? [STUCK_NOTE] : [];
    const question = { payload, situation, exemption, world };
    let answer: StopAnswer = { ...PASS, notes: [...waited, ...lost, ...stuck] };
    for (const gate of gates) {
      const startedAt = world.clock.now();
      answer = withNotes(await gate.ask(question), answer.notes);
      if (answer.type === 'block') return recorded(answer, question, world.clock.now() - startedAt);
    }
    return answer;
  } finally {
    markActivity(file, 'stopEnded');
  }
}

const STUCK_NOTE = `Stopgate: ${NEVER_BLOCK_WORDS.hostStuck}, so it may stop now; nothing is proven.`;

/** Loaded when it is needed: it reads the ledger, with the schemas of its lines. */
async function whyExcess(code: NeverBlockCode, payload: Payload, world: StopWorld): Promise<string | null> {
  return (await import('./ownMaking.ts')).whyCheckedNow(code, payload, world);
}

/** Whether a gate could hold this session. */
export const isGated = (payload: Payload, world: GateWorld): boolean =>
  !isSwitchedOff(world) && GATES.some((gate) => gate.isSet(payload, world));

const lostNote = ({ others }: OpenTasks) =>
  `Stopgate: background work (${others.join(', ')}) did not end since the last stop, so this stop was checked beside it.`;

/** Their results are part of the work, for every gate. */
async function awaitCommands({ commands }: OpenTasks, { remainingSeconds }: StopSituation, world: StopWorld) {
  const { awaitBackground } = await import('./checks/backgroundWork.ts');
  const leftMs = remainingSeconds === null ? Number.POSITIVE_INFINITY : remainingSeconds * 1000;
  const deadlineAt = Math.min(world.deadlineAt, world.clock.now() + leftMs);
  return awaitBackground(commands, { ...world, deadlineAt });
}

/** A stop that nothing checks is on record too, so that it is not taken for a proven one. */
function recordUnarmed(payload: Payload, world: StopWorld): readonly string[] {
  const ending = recordedEnding(notArmedEnding('no stopgate.config.json'));
  const entry = { type: 'stop', ending, durationMs: 0, ...claimOf(payload, world.env) } as const;
  return recordDecision({ entry, payload }, world);
}

/** The checks record their answers themselves, before they are given. */
function recorded(answer: StopAnswer, { payload, world }: StopQuestion, durationMs: number): StopAnswer {
  if (answer.type !== 'block' || answer.ending !== undefined) return answer;
  const reason = briefReason(answer.reason, world.env);
  const by = answer.waits
    ? { hook: 'stopgate checks', source: 'checks' }
    : { hook: 'stopgate worker', source: 'fleet' };
  const who = { type: 'hook', event: 'Stop', ...by } as const;
  const entry: NewEntry = { ...who, verdict: 'blocked', reason, durationMs };
  return withNotes(answer, recordDecision({ entry, payload }, world));
}

function situationOf(payload: Payload, world: StopWorld) {
  const { env, clock } = world;
  return stopSituation(payload, {
    switchedOff: isSwitchedOff(world),
    insideCheck: env[INSIDE_CHECK] === '1',
    isHostStuck: isHostStuck(payload, world),
    remainingSeconds: hookClock(env, hookNow(env, clock))?.remainingSeconds ?? null,
    tokensOver: world.tokensOver === true,
  });
}

/** Called when a session begins. Returns notes for people. */
export async function beginSession(payload: Payload, world: GateWorld): Promise<readonly string[]> {
  const source = typeof payload.source === 'string' ? { source: payload.source } : {};
  const notes: string[] = [];
  for (const gate of GATES) if (gate.isSet(payload, world)) notes.push(...(await gate.begin(payload, world)));
  const isArmed = (readStart(world.stopgateHome, sessionIdOf(payload))?.checks.length ?? 0) > 0;
  const entry = { type: 'sessionStart', ...source, ...(isArmed && { armed: true }), ending: null } as const;
  return [...recordDecision({ entry, payload }, world), ...notes];
}
