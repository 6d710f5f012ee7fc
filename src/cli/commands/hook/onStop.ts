import type { HookAnswer } from '../../../hosts/host.ts';
import { askStop } from '../../../stop/ask.ts';
import type { Payload } from '../../../stop/payload.ts';
import type { HookWorld } from './hookWorld.ts';

/** May it stop? Asked by a host. */
export const onStop = (payload: Payload, world: HookWorld): Promise<HookAnswer> =>
  askStop(payload, { ...world, endsWithProcess: true, signal: world.interrupt.signal });
