import type { HookAnswer } from '../../hosts/answers.ts';
import type { Payload } from '../../hosts/callers.ts';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import { askStop } from '../gates/askStop.ts';
import type { HookWorld } from './hookWorld.ts';

/** May it stop? Asked by a host; the gates are the ones that our own agent asks. */
export async function onStop(payload: Payload, world: HookWorld): Promise<HookAnswer> {
  const processes = spawnProcesses({ env: world.env });
  try {
    const { deadlineAt, interrupt } = world;
    return await askStop(payload, { ...world, processes, deadlineAt, signal: interrupt.signal });
  } finally {
    await processes.endAll();
  }
}
