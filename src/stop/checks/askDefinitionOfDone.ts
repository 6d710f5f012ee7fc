import path from 'node:path';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import { terminalText } from '../../system/terminalText.ts';
import type { StopAnswer } from '../answer.ts';
import { childEnvironment } from '../childEnvironment.ts';
import type { Payload } from '../payload.ts';
import type { StopWorld } from '../world.ts';
import { askChecks, type ChecksGate } from './askChecks.ts';
import { openChecks } from './openChecks.ts';
import { otherSessions } from './otherSessions.ts';
import { sessionActivity } from './sessionActivity.ts';

export type DoneWorld = StopWorld & Pick<ChecksGate, 'deadlineOf'>;

/** Runs what has to be run of the checks in a file, and returns the outcome. */
export async function askDefinitionOfDone(file: string, payload: Payload, world: DoneWorld): Promise<StopAnswer> {
  const processes = world.processes ?? spawnProcesses({ env: world.env });
  try {
    const opened = await openChecks(file, payload, { ...world, processes });
    if (opened.type === 'none') return { type: 'pass', notes: opened.notes, ending: opened.ending };
    const demand = await world.asker.demand(payload, world);
    return await askChecks({
      ...world,
      ...opened,
      demand,
      processes,
      env: childEnvironment(world.env, {}),
      activity: () => sessionActivity(payload),
      otherSessions: () => otherSessions(payload, path.dirname(file), world),
      // a hook's own process has nothing else to print while it waits
      onWait: (sentence) => world.endsWithProcess && process.stderr.write(terminalText(`${sentence}\n`)),
    });
  } finally {
    // those of our own agent have more to do than checks
    if (world.processes === undefined) await processes.endAll();
  }
}
