import { type HookAnswer, NOTHING } from '../../hosts/answers.ts';
import type { Payload } from '../../hosts/callers.ts';
import { workerIdentity } from '../gates/workerIdentity.ts';
import type { HookWorld } from './hookWorld.ts';

/** An API error ended the turn. Nothing that is said here counts; a worker whose account met a limit lets it rest. */
export async function onStopFailure(payload: Payload, world: HookWorld): Promise<HookAnswer> {
  const identity = workerIdentity(world.env);
  if (identity !== null && payload.error === 'rate_limit') {
    const { pauseForLimit } = await import('../gates/pauseForLimit.ts');
    await pauseForLimit(payload, identity, world);
  }
  return NOTHING;
}
