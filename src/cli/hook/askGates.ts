import type { HookAnswer } from '../../hosts/answers.ts';
import type { Payload } from '../../hosts/callers.ts';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import { askStop } from '../gates/askStop.ts';
import type { HookWorld } from './hookWorld.ts';

/** The gates that our own agent asks, with what they need in a process of their own. */
export async function askGates(payload: Payload, world: HookWorld): Promise<HookAnswer> {
  const processes = spawnProcesses({ env: world.env });
  try {
    return await askStop(payload, { ...world, processes, signal: world.interrupt.signal });
  } finally {
    await processes.endAll();
  }
}
