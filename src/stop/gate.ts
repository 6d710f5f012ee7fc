import type { StopAnswer } from './answer.ts';
import type { NeverBlockCode, StopSituation } from './exemptions.ts';
import type { Payload } from './payload.ts';
import type { GateWorld, StopWorld } from './world.ts';

/** One stop, as every gate is asked about it. */
export interface StopQuestion {
  readonly payload: Payload;
  readonly situation: StopSituation;
  /** Why this stop may not be held by any gate; null when it may. */
  readonly exemption: NeverBlockCode | null;
  readonly world: StopWorld;
}

export interface Gate {
  /** Whether it could hold this stop. Called at every stop, mostly in vain, so it loads nothing. */
  isSet(payload: Payload, world: GateWorld): boolean;
  ask(question: StopQuestion): Promise<StopAnswer>;
  /** Called when a session begins: what the gate has to know at its stop. Returns notes for people. */
  begin(payload: Payload, world: GateWorld): Promise<readonly string[]>;
}
