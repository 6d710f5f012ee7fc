import path from 'node:path';
import type { Payload } from '../../hosts/callers.ts';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import { terminalText } from '../../system/terminalText.ts';
import type { HookAnswer } from '../answers.ts';
import type { StopWorld } from '../ask.ts';
import { childEnvironment } from '../childEnvironment.ts';
import { askChecks, type ChecksGate } from './checksGate.ts';
import { demandOfHost } from './demandOfHost.ts';
import { openChecks } from './openChecks.ts';
import { otherSessions } from './otherSessions.ts';
import { sessionActivity } from './sessionActivity.ts';

export type DoneWorld = StopWorld & Pick<ChecksGate, 'deadlineOf'>;

/** Runs what has to be run of the checks in a file, and says what came of it. */
export async function askDefinitionOfDone(file: string, payload: Payload, world: DoneWorld): Promise<HookAnswer> {
  const processes = world.processes ?? spawnProcesses({ env: world.env });
  try {
    const opened = await openChecks(file, payload, { ...world, processes });
    if (opened.type === 'none') return { type: 'nothing', notes: opened.notes, ending: opened.ending };
    const demand = world.demand ?? (await demandOfHost(payload, world));
    const answer = await askChecks({
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
    return answer.type === 'block' ? answer : { type: 'nothing', notes: answer.notes, ending: answer.ending };
  } finally {
    // those of our own agent have more to do than checks
    if (world.processes === undefined) await processes.endAll();
  }
}
