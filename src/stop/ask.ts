import { markActivity } from './activity.ts';
import { PASS, type StopAnswer, withNotes } from './answer.ts';
import { checksGate } from './checks/gate.ts';
import { hookClock, hookNow } from './clock.ts';
import { INSIDE_CHECK, neverBlockCode } from './exemptions.ts';
import type { Gate } from './gate.ts';
import type { Payload } from './payload.ts';
import { isSwitchedOff, stopSituation } from './situation.ts';
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
  if (gates.length === 0) return PASS;
  const file = world.env[ACTIVITY_FILE];
  markActivity(file, 'stopBegan');
  try {
    const situation = situationOf(payload, world);
    const question = { payload, situation, exemption: neverBlockCode(situation), world };
    let answer: StopAnswer = PASS;
    for (const gate of gates) {
      answer = withNotes(await gate.ask(question), answer.notes);
      if (answer.type === 'block') return answer;
    }
    return answer;
  } finally {
    markActivity(file, 'stopEnded');
  }
}

/** Whether a gate could hold this session. */
export const isGated = (payload: Payload, world: GateWorld): boolean =>
  !isSwitchedOff(world) && GATES.some((gate) => gate.isSet(payload, world));

function situationOf(payload: Payload, world: StopWorld) {
  const { env, clock } = world;
  return stopSituation(payload, {
    switchedOff: isSwitchedOff(world),
    insideCheck: env[INSIDE_CHECK] === '1',
    remainingSeconds: hookClock(env, hookNow(env, clock))?.remainingSeconds ?? null,
  });
}

/** Called when a session begins. Returns notes for people. */
export async function beginSession(payload: Payload, world: GateWorld): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const gate of GATES) if (gate.isSet(payload, world)) notes.push(...(await gate.begin(payload, world)));
  return notes;
}
