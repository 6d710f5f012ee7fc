import path from 'node:path';
import { openGit } from '../../git/git.ts';
import { givenOrOwn } from '../../system/spawnProcesses.ts';
import type { StopAnswer } from '../answer.ts';
import { childEnvironment } from '../childEnvironment.ts';
import { type Payload, sessionIdOf } from '../payload.ts';
import { readDecisions, readSession } from '../readLedger.ts';
import { rememberedFacts } from '../receipts/rememberedFacts.ts';
import { areWaiversForged, readWaivers } from '../waivers.ts';
import type { GateWorld, StopWorld } from '../world.ts';
import { askChecks, type ChecksGate } from './askChecks.ts';
import { isBaselineForged, readBaseline } from './baseline.ts';
import { checksMemory } from './memory.ts';
import { openChecks } from './openChecks.ts';
import { sessionActivity } from './sessionActivity.ts';
import { treeMark } from './treeMark.ts';

// Everything that a stop loads only when there are checks: a chunk of its own in the hook.

export { readFrozen } from '../frozen/frozenFile.ts';
export { recordStop } from '../receipts/recordStop.ts';
export { readDefinition } from './readConfig.ts';
export { rememberStart } from './rememberStart.ts';

export interface DoneWorld extends StopWorld, Pick<ChecksGate, 'deadlineOf'> {
  /** Whether the agent changed files during this run, also if it put them back: then a pass is not remembered. */
  readonly isDisturbed?: () => Promise<boolean>;
}

/** Runs the checks of a file as far as necessary, and returns the outcome. */
export async function askDefinitionOfDone(file: string, payload: Payload, world: DoneWorld): Promise<StopAnswer> {
  await using processes = givenOrOwn(world.processes, { env: world.env });
  const opened = await openChecks(file, payload, { ...world, processes, atStop: true });
  if (opened.type === 'none') return { type: 'pass', notes: opened.notes, ending: opened.ending };
  const demand = await world.asker.demand(payload, world);
  const answer = await askChecks({
    ...world,
    ...opened,
    done: { ...opened.done, ...world.limits },
    memory: undisturbed(beganIn(world, opened), world),
    demand,
    processes,
    env: childEnvironment(world.env, {}),
    baseline: () => readBaseline(world.stopgateHome, path.dirname(opened.done.file)),
    hasOtherProgress: payload.changed_since_last_attempt === true,
    waivers: () => readWaivers(world.stopgateHome, sessionIdOf(payload) ?? ''),
    activity: () => sessionActivity(payload),
    otherSessions: () => otherSessions(payload, path.dirname(file), world),
    beginTreeFacts: (startCommit, isNew) =>
      rememberedFacts({ folder: path.dirname(file), startCommit, processes, env: world.env, isNew }, opened.memory),
  });
  return withForged(answer, await forgedRecords(payload, path.dirname(opened.done.file), world));
}

/** The state of the files that a definition of done is about; null where none may run. */
export async function filesNow(file: string, payload: Payload, world: StopWorld): Promise<string | null> {
  await using processes = givenOrOwn(world.processes, { env: world.env });
  const opened = await openChecks(file, payload, { ...world, processes, atStop: true });
  return opened.type === 'none' ? null : (await opened.state()).files;
}

/** The mark of the files' change times in the folder of a definition of done. */
export async function markNow(file: string, world: StopWorld): Promise<string> {
  await using processes = givenOrOwn(world.processes, { env: world.env });
  return await treeMark(openGit({ processes, env: world.env }), path.dirname(file), world.stopgateHome);
}

/** Records of what people accepted that no command of Stopgate wrote: they do not count, and are named. */
async function forgedRecords(
  payload: Payload,
  folder: string,
  { stopgateHome }: GateWorld,
): Promise<readonly string[]> {
  const [waivers, baseline] = await Promise.all([
    areWaiversForged(stopgateHome, sessionIdOf(payload) ?? ''),
    isBaselineForged(stopgateHome, folder),
  ]);
  return [...(waivers ? ['waivers'] : []), ...(baseline ? ['accepted failures'] : [])];
}

function withForged(answer: StopAnswer, forged: readonly string[]): StopAnswer {
  if (forged.length === 0 || answer.ending === undefined) return answer;
  const what = `ignored, because no command of Stopgate wrote them: ${forged.join(', ')}`;
  const changed = [answer.ending.changed, what].filter((one) => one !== undefined).join('; ');
  return { ...answer, ending: { ...answer.ending, changed, decidedBy: 'start' } };
}

function undisturbed(memory: ChecksGate['memory'], { isDisturbed }: DoneWorld): ChecksGate['memory'] {
  if (isDisturbed === undefined) return memory;
  return {
    ...memory,
    rememberPassed: async (...pass) => {
      if (pass[0].length > 0 && !(await isDisturbed())) await memory.rememberPassed(...pass);
    },
  };
}

/** What failed when the work began is known by the session in which that was. */
function beganIn(
  { beganIn: sessionId, stopgateHome }: GateWorld,
  { memory, done }: Extract<Awaited<ReturnType<typeof openChecks>>, { type: 'checks' }>,
): ChecksGate['memory'] {
  if (sessionId === undefined) return memory;
  const agent = checksMemory({ stopgateHome, folder: path.dirname(done.file), sessionId });
  return { ...memory, session: async () => ({ ...(await memory.session()), began: (await agent.session()).began }) };
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
