import type { StopAnswer } from './answer.ts';
import type { NeverBlockCode, StopSituation } from './exemptions.ts';
import type { Payload } from './payload.ts';
import type { GateWorld, StopWorld } from './world.ts';

/** One stop, as every gate sees it. */
export interface StopQuestion {
  readonly payload: Payload;
  readonly situation: StopSituation;
  /** Why no gate may block this stop; null when one may. */
  readonly exemption: NeverBlockCode | null;
  readonly world: StopWorld;
}

export interface Gate {
  /** Whether it could block this stop. Called at every stop and mostly false, so it loads nothing. */
  isSet(payload: Payload, world: GateWorld): boolean;
  ask(question: StopQuestion): Promise<StopAnswer>;
  /** Called when a session begins: remembers what `ask` needs. Returns notes for people. */
  begin(payload: Payload, world: GateWorld): Promise<readonly string[]>;
}
