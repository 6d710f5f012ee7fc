import type { Payload } from '../../../hosts/callers.ts';
import { type HookAnswer, NOTHING } from '../../../stop/answers.ts';
import { askStop, hasChecks } from '../../../stop/ask.ts';
import { workerIdentity } from '../../../stop/worker/workerIdentity.ts';
import type { HookWorld } from './hookWorld.ts';

/** May it stop? Asked by a host. Nothing that could hold it: answered before anything else is loaded. */
export async function onStop(payload: Payload, world: HookWorld): Promise<HookAnswer> {
  if (!hasChecks(payload, world) && workerIdentity(world.env) === null) return NOTHING;
  return askStop(payload, { ...world, endsWithProcess: true, signal: world.interrupt.signal });
}
