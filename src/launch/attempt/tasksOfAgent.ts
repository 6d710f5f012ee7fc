import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { AgentEnd, FirstTask, RunningAgent, WorkerRun } from '../../fleet/worker/runWorker.ts';
import { agentCommand } from '../../hosts/agentCommand.ts';
import type { AgentCommand } from '../../hosts/host.ts';
import { whyNoAgent } from '../../hosts/whyNoAgent.ts';
import { isStopOpen, readActivity } from '../../stop/activity.ts';
import { askCompletion } from '../../stop/askCompletion.ts';
import { type GateEnding, skippedEnding } from '../../stop/ending.ts';
import { freezeFor } from '../../stop/frozen/frozenFile.ts';
import { recordDecision, runEntry } from '../../stop/ledger.ts';
import { readDecisions, readSession } from '../../stop/readLedger.ts';
import { NO_WORK_WORDS } from '../../stop/runEnding.ts';
import { completionSession, readStart, writeStart } from '../../stop/startFile.ts';
import { WORKER } from '../../stop/worker/workerIdentity.ts';
import { worldGit } from '../../stop/worldGit.ts';
import type { Lease } from '../../store/types.ts';
import { writeFileAtomically } from '../../system/atomicFile.ts';
import { wallNow } from '../../system/clock.ts';
import { REPORTED } from '../../system/marks.ts';
import { packageRoot } from '../../system/packageRoot.ts';
import { PASS_ENV, secretValues, withheldFrom, without } from '../../system/secretPolicy.ts';
import { shellWord } from '../../system/shellWords.ts';
import { armLaunch, endingOfAgent, endingSinceArmed, mayPlan } from '../launchChecks.ts';
import { pruneKept } from '../pruneKept.ts';
import { settleLeft } from './settleLeft.ts';
import { type AgentOfWorker, type AgentPlace, type AgentTail, startAgent } from './startAgent.ts';
import { leaseDetails, type TaskFolder, taskFolders } from './taskFolders.ts';

/** What a worker does with its tasks: runs an agent in a folder, and settles what it leaves. */
export async function tasksOfAgent(
  agent: AgentOfWorker,
): Promise<Pick<WorkerRun, 'activity' | 'treeState' | 'leaveFolder' | 'startAgent' | 'settleLeft' | 'whyNoAgent'>> {
  const { request, world, store } = agent;
  const command = await agentCommand({ agent: request.agent, words: ['x'], env: world.env });
  const exitCodeCounts = command.agent.exitCodeSettles;
  const place = await placeOf(agent, command, request.worktrees || exitCodeCounts);
  const folders = taskFolders(world, request.worktrees);
  for (const sentence of await pruneKept(worldGit(world), world.cwd, world)) agent.report(sentence);
  const { withheld, sentence } = agentSecrets(command, world.env);
  if (sentence !== null) agent.report(sentence);
  const tail: AgentTail = { text: '' };
  let folder: TaskFolder | null = null;
  return {
    whyNoAgent: () => whyNoAgent(command, { ...world, worktrees: request.worktrees }),
    activity: () => readActivity(place.activityFile),
    treeState: () => (folder === null ? Promise.resolve(null) : folders.state(folder)),
    startAgent: async (task) => {
      tail.text = '';
      folder = await folders.open(task.lease);
      return startWired(place, { command, task, folder, tail, withheld });
    },
    leaveFolder: async (lease) => {
      const notes = folder === null ? [] : await folders.leave(folder, lease, request.removeWorktrees);
      for (const sentence of notes) agent.report(sentence);
    },
    settleLeft: async (lease, end) => {
      const details = folder === null ? {} : await folders.keep(folder, lease);
      const whyNotDone = () => (folder === null ? Promise.resolve(null) : askLeft(lease, folder, agent));
      const left = { lease, end, whyNotDone, details, exitCodeCounts, account: request.account };
      return settleLeft({ ...left, store, clock: world.clock, tail: tail.text, secrets: secretValues(world.env) });
    },
  };
}

async function placeOf(agent: AgentOfWorker, { agent: host }: AgentCommand, oneTask: boolean): Promise<AgentPlace> {
  const { stopgateHome } = agent.world;
  const folder = path.join(stopgateHome, 'fleet');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, agent.workerId.replaceAll(/[^\w.-]/g, '-'));
  const files = { activityFile: `${file}.activity`, failureFile: `${file}.failure`, spendFile: `${file}.spend` };
  return { ...agent, host, oneTask, ...files, binFolder: await stopgateOnPath(stopgateHome) };
}

interface Start {
  readonly command: AgentCommand;
  readonly task: FirstTask;
  readonly folder: TaskFolder;
  readonly tail: AgentTail;
  readonly withheld: ReadonlySet<string>;
}

/** Starts an agent with our hooks in its settings while it runs. */
async function startWired(place: AgentPlace, start: Start): Promise<RunningAgent> {
  const { request, world, store, workerId, report } = place;
  const { command, task, folder, tail, withheld } = start;
  const { incarnation, lease } = task;
  report(`task ${lease.taskId} begins in ${folder.path}`);
  await store.heartbeat({ workerId, incarnation, lease, details: leaseDetails(folder) });
  const features = ['countdown', 'landing', 'checks'] as const;
  const at = { profile: 'default', folder: folder.path, world, git: worldGit(world) };
  const wired = await command.agent.wire({ command, features, ...at });
  const withWords = { ...command, args: [...command.args, ...request.words] };
  const wish = { checks: true, trustProject: false };
  // an agent without a stop hook is held to them too: when it settles its task, or its exit code does
  const held = await armLaunch({ request: wish, folder: folder.path, world });
  const { exitCodeSettles } = command.agent;
  const armed = exitCodeSettles
    ? held
    : await armLaunch({ command: withWords, request: wish, folder: folder.path, world });
  if (armed.sentence !== null) report(armed.sentence);
  await writeStart(world.stopgateHome, completionSession(lease), held);
  await freezeFor(completionSession(lease), held, world);
  if (exitCodeSettles) {
    await writeStart(world.stopgateHome, taskSession(lease), held);
    await freezeFor(taskSession(lease), held, world);
  }
  const startedAt = new Date(wallNow(world.clock)).toISOString();
  // the worker reports which checks are armed and how they ended
  const env = { ...without(withheld, wired.env), ...(command.agent.isOwn && { [REPORTED]: '1' }) };
  const running = startAgent(place, { task, folder: folder.path, env, tail });
  const reportEnd = async (agentEnd: AgentEnd) => {
    const decisions = readDecisions(world.stopgateHome, { worker: workerId, since: Date.parse(startedAt) });
    const own = decisions.filter(({ at: time }) => time >= startedAt);
    const since = { folder: folder.path, mayPlan: mayPlan(withWords, false) };
    const ended = isStopOpen(place.activityFile) ? skippedEnding('checksInterrupted') : endingOfAgent(armed, own);
    const checks = await endingSinceArmed(armed, ended, since);
    // those of an exit code run afterwards
    if (armed.sentence !== null && !exitCodeSettles) report(`checks: ${checks.reason}`);
    recordEnd(agentEnd, {
      place,
      command,
      folder: folder.path,
      session: own.at(-1)?.session ?? completionSession(lease),
    });
    return agentEnd;
  };
  return { ...running, ended: running.ended.finally(() => wired.release()).then(reportEnd) };
}

interface EndPlace {
  readonly place: AgentPlace;
  readonly command: AgentCommand;
  readonly folder: string;
  readonly session: string;
}

/** Reports and records an agent that left processes or did nothing; our own agent recorded its part itself. */
function recordEnd({ left, noWork }: AgentEnd, { place, command, folder, session }: EndPlace): void {
  const { world, workerId, report } = place;
  if (left === undefined && noWork !== true) return;
  const sentence = left === undefined ? `no work (${NO_WORK_WORDS})` : `left running, now ended (${left})`;
  report(sentence);
  const ending: GateEnding = { type: left === undefined ? 'no_work' : 'left_running', reason: sentence, checks: [] };
  const recorder = {
    ...world,
    env: { ...world.env, [WORKER]: workerId },
    hostPid: null,
    asker: { name: command.name },
  };
  const entry = { entry: runEntry(ending), folder, payload: { session_id: session } };
  for (const note of recordDecision(entry, recorder)) report(note);
}

/** The name in the ledger of a task that a plain command does: each has a receipt of its own. */
const taskSession = ({ taskId, epoch }: Lease): string => `task-${taskId}-${epoch}`;

/** Checks the definition of done for an agent whose exit code completes its task. */
async function askLeft(lease: Lease, folder: TaskFolder, { world, report }: AgentOfWorker): Promise<string | null> {
  const { env, stopgateHome, clock, processes } = world;
  const session = taskSession(lease);
  const start = readStart(stopgateHome, session);
  const signal = new AbortController().signal;
  const why = await askCompletion({
    folder: folder.path,
    session,
    worker: lease.workerId,
    start,
    // so that the ledger has whose task it was
    env: { ...env, [WORKER]: lease.workerId },
    stopgateHome,
    clock,
    processes,
    signal,
  });
  const last = readSession(stopgateHome, session).findLast((one) => one.type === 'stop');
  if (last?.ending) report(`checks: ${last.ending.reason}`);
  return why;
}

/** The secrets that are withheld from a worker's agent, and a sentence that names them. */
export function agentSecrets(
  { name, agent }: Pick<AgentCommand, 'name' | 'agent'>,
  env: Readonly<Record<string, string>>,
): { readonly withheld: ReadonlySet<string>; readonly sentence: string | null } {
  // the agent needs the store to settle its task
  const withheld = withheldFrom(agent.secrets, env, ['STOPGATE_STORE']);
  if (withheld.size === 0) return { withheld, sentence: null };
  const names = [...withheld].toSorted().join(', ');
  return { withheld, sentence: `${name} does not get ${names} (${PASS_ENV}=NAME,… passes those that its tasks need)` };
}

/** A folder whose `stopgate` is this one: agents settle tasks with that command, whatever is installed. */
async function stopgateOnPath(stopgateHome: string): Promise<string> {
  const folder = path.join(stopgateHome, 'bin');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const quoted = [process.execPath, path.join(packageRoot(), 'bin/stopgate.js')].map(shellWord);
  const file = path.join(folder, 'stopgate');
  await writeFileAtomically(file, `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`);
  await chmod(file, 0o755);
  return folder;
}
