import { type HookAnswer, NOTHING } from '../../hosts/answers.ts';
import type { Payload } from '../../hosts/callers.ts';
import { askStop, hasChecks } from '../gates/askStop.ts';
import { workerIdentity } from '../gates/workerIdentity.ts';
import type { HookWorld } from './hookWorld.ts';

/** May it stop? Asked by a host. Nothing that could hold it: answered before anything else is loaded. */
export async function onStop(payload: Payload, world: HookWorld): Promise<HookAnswer> {
  if (!hasChecks(payload, world) && workerIdentity(world.env) === null) return NOTHING;
  return askStop(payload, { ...world, endsWithProcess: true, signal: world.interrupt.signal });
}
