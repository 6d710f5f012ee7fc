import path from 'node:path';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import { terminalText } from '../../system/terminalText.ts';
import type { StopAnswer } from '../answer.ts';
import { childEnvironment } from '../childEnvironment.ts';
import { type Payload, sessionIdOf } from '../payload.ts';
import { readDecisions, readSession } from '../readLedger.ts';
import { treeFacts } from '../receipts/treeFacts.ts';
import { readWaivers } from '../waivers.ts';
import type { GateWorld, StopWorld } from '../world.ts';
import { askChecks, type ChecksGate } from './askChecks.ts';
import { type BackgroundWait, waitForCommands } from './backgroundWork.ts';
import { openChecks } from './openChecks.ts';
import { sessionActivity } from './sessionActivity.ts';

// Everything that a stop loads only when there are checks: a chunk of its own in the hook.

export { readFrozen } from '../frozen/frozenFile.ts';
export { recordStop } from '../receipts/recordStop.ts';
export { runningCommands } from './backgroundWork.ts';
export { readConfigFile } from './readConfig.ts';
export { rememberStart } from './rememberStart.ts';

export type DoneWorld = StopWorld & Pick<ChecksGate, 'deadlineOf'>;

/** Runs the checks of a file as far as necessary, and returns the outcome. */
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
      waivers: () => readWaivers(world.stopgateHome, sessionIdOf(payload) ?? ''),
      activity: () => sessionActivity(payload),
      otherSessions: () => otherSessions(payload, path.dirname(file), world),
      onWait: (sentence) => report(world, sentence),
      treeFacts: (state, startCommit) =>
        treeFacts(state, { folder: path.dirname(file), startCommit, processes, env: world.env }),
    });
  } finally {
    // our own agent's runner is still in use
    if (world.processes === undefined) await processes.endAll();
  }
}

/** Waits for background commands that end; returns a note that names those that go on. */
export async function awaitBackground(
  commands: BackgroundWait['commands'],
  world: DoneWorld,
): Promise<readonly string[]> {
  if (commands.length === 0) return [];
  const onWait = (names: readonly string[]) => report(world, `Stopgate: waiting for ${names.join(', ')} to end.`);
  const ceiling = Number(world.env.STOPGATE_BG_WAIT_CEILING_MS || Number.NaN);
  const longestMs = ceiling > 0 ? ceiling : undefined;
  const running = await waitForCommands({ ...world, commands, longestMs, onWait });
  const list = running.join(', ');
  return running.length === 0 ? [] : [`Stopgate: ${list} still running in the background; the checks ran beside it.`];
}

/** A hook's own process has nothing else to print while it waits. */
function report({ endsWithProcess }: GateWorld, sentence: string): void {
  if (endsWithProcess) process.stderr.write(terminalText(`${sentence}\n`));
}

/** The number of sessions that began or stopped in the same folder since this one began, by the gate's own record. */
async function otherSessions(payload: Payload, folder: string, { stopgateHome, hostPid }: GateWorld): Promise<number> {
  const session = sessionIdOf(payload);
  const began = readSession(stopgateHome, session ?? '').find(({ type }) => type === 'sessionStart')?.at;
  if (began === undefined) return 0;
  const here = readDecisions(stopgateHome, { folder, since: Date.parse(began) });
  const others = here.filter((one) => one.at >= began && one.session !== session && one.session !== '');
  // an earlier session of the same process is over
  return new Set(others.filter((one) => hostPid === null || one.hostPid !== hostPid).map((one) => one.session)).size;
}
