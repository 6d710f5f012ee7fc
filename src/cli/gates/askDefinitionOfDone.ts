import { askChecks } from '../../gates/checks/checksGate.ts';
import type { HookAnswer } from '../../hosts/answers.ts';
import type { Payload } from '../../hosts/callers.ts';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import { childEnvironment } from '../wiring/childEnvironment.ts';
import type { StopWorld } from './askStop.ts';
import { openChecks } from './openChecks.ts';

/** Runs what has to be run of the checks in a file, and says what came of it. */
export async function askDefinitionOfDone(file: string, payload: Payload, world: StopWorld): Promise<HookAnswer> {
  const processes = world.processes ?? spawnProcesses({ env: world.env });
  try {
    const opened = await openChecks(file, payload, { ...world, processes });
    if (opened.type === 'none') return { type: 'nothing', notes: opened.notes };
    const answer = await askChecks({ ...world, ...opened, processes, env: childEnvironment(world.env, {}) });
    return answer.type === 'block' ? answer : { type: 'nothing', notes: answer.notes };
  } finally {
    // those of our own agent have more to do than checks
    if (world.processes === undefined) await processes.endAll();
  }
}
