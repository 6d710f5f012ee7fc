import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { TreeState } from '../../fleet/decisions/timeOver.ts';
import { historyOf } from '../../fleet/worker/heldBy.ts';
import type { AgentEnd, FirstTask, WorkerRun } from '../../fleet/worker/runWorker.ts';
import { agentCommand } from '../../hosts/agentCommand.ts';
import type { AgentCommand, WiredAgent } from '../../hosts/host.ts';
import { whyNoAgent } from '../../hosts/whyNoAgent.ts';
import { isStopOpen, readActivity } from '../../stop/activity.ts';
import { rememberBase } from '../../stop/checks/rememberStart.ts';
import { type GateEnding, skippedEnding } from '../../stop/ending.ts';
import { freezeFor } from '../../stop/frozen/frozenFile.ts';
import { recordDecision, runEntry } from '../../stop/ledger.ts';
import { readDecisions } from '../../stop/readLedger.ts';
import { NO_WORK_WORDS } from '../../stop/runEnding.ts';
import { completionSession, taskSession, writeStart } from '../../stop/startFile.ts';
import { PUSH_REQUESTS, WORKER, WORKER_REPOSITORY } from '../../stop/worker/workerIdentity.ts';
import { worldGit } from '../../stop/worldGit.ts';
import { removeEnded } from '../../store/outbox/endedFile.ts';
import { writeLease } from '../../store/outbox/leaseFile.ts';
import type { Attempt, Task } from '../../store/types.ts';
import { wallNow } from '../../system/clock.ts';
import { REPORTED } from '../../system/marks.ts';
import { thisProcess } from '../../system/processLife.ts';
import {
  GIT_CREDENTIALS,
  notPassed,
  PASS_ENV,
  secretValues,
  withheldFrom,
  without,
} from '../../system/secretPolicy.ts';
import type { World } from '../../system/world.ts';
import { armLaunch, endingOfAgent, endingSinceArmed, mayPlan } from '../launchChecks.ts';
import { pruneKept } from '../pruneKept.ts';
import { type AgentTail, NO_OUTPUT } from './agentOutput.ts';
import { armVerification, verificationOfHanded } from './armVerification.ts';
import { askLeft } from './askLeft.ts';
import { type AttemptBudget, attemptBudget, NO_BUDGET } from './attemptBudget.ts';
import { attemptFolders } from './attemptFolders.ts';
import { attemptLog } from './attemptLog.ts';
import { notOpened, notStarted, refused, withStart } from './beforeStart.ts';
import { folderWatch } from './repository/folderWatch.ts';
import { settleLeft } from './settleLeft.ts';
import { spendOfAttempts } from './spendOfAttempts.ts';
import type { AgentOfWorker, AgentPlace, StartedAgent } from './startAgent.ts';
import { startUntilDone } from './startUntilDone.ts';
import { stopgateOnPath } from './stopgateOnPath.ts';
import { leaseDetails, type TaskFolder } from './taskFolders.ts';

/** What a worker does with its tasks: runs an agent in a folder, and settles what it leaves. */
export async function tasksOfAgent(
  agent: AgentOfWorker,
): Promise<
  Pick<
    WorkerRun,
    | 'activity'
    | 'holds'
    | 'timeLeft'
    | 'treeState'
    | 'treeAtStart'
    | 'leaveFolder'
    | 'startAgent'
    | 'settleLeft'
    | 'whyNoAgent'
  >
> {
  const { request, world, store } = agent;
  const command = await agentCommand({ agent: request.agent, words: ['x'], env: world.env, cwd: world.cwd });
  const exitCodeCounts = command.agent.exitCodeSettles;
  const log = attemptLog(world.stopgateHome, wallNow(world.clock));
  const logged = { ...agent, writer: log.over(agent.writer) };
  const place = await placeOf(logged, command, request.worktrees || exitCodeCounts);
  const folders = attemptFolders(agent, `${place.activityFile.replace(/\.activity$/, '')}.push`);
  for (const sentence of await pruneKept(worldGit(world), world.cwd, world)) agent.report(sentence);
  const whyFolderGone = folderWatch(request.worktrees, world.cwd);
  const { withheld, sentence } = agentSecrets(command, world.env);
  if (sentence !== null) agent.report(sentence);
  const tail: AgentTail = { ...NO_OUTPUT };
  let folder: TaskFolder | null = null;
  const spend = spendOfAttempts(store, world.clock.now);
  const handed = verificationOfHanded(store, world);
  let atStart: { readonly attemptId: string; readonly tree: TreeState } | null = null;
  return {
    whyNoAgent: () => whyFolderGone() ?? whyNoAgent(command, world),
    holds: async (lease) => {
      if (lease !== null) log.use(lease);
      await spend.holds(lease);
      await handed.holds(lease);
    },
    activity: () => readActivity(place.activityFile),
    treeState: folders.state,
    timeLeft: folders.timeLeft,
    treeAtStart: ({ attemptId }) => (atStart?.attemptId === attemptId ? atStart.tree : null),
    startAgent: async (task) => {
      const { lease } = task;
      Object.assign(tail, NO_OUTPUT);
      const { task: found, attempt, attempts, earlierBranches } = await historyOf(store, lease);
      const budget = found === null ? NO_BUDGET : attemptBudget(found, attempts);
      spend.start(lease, () => null);
      log.use(lease);
      if (budget.usedUp !== null) return notStarted(budget.usedUp);
      folder = null;
      const opened = await folders.open({ lease, task: found, attempt, earlier: earlierBranches });
      if (opened.type === 'noFolder') return notOpened(opened);
      folder = opened.folder;
      // a tree that the agent has already changed would look as if it made no progress
      atStart = attempt?.deadlineAt == null ? null : { attemptId: lease.attemptId, tree: await folders.state() };
      const shown = withStart(task, folder);
      const requests = folders.requests();
      const start = { command, task: shown, folder, tail, withheld, budget, found, attempts, requests };
      const running = await startWired(place, { ...start, handed }).catch(refused);
      spend.start(lease, running.spent);
      const ended = running.ended.then((end) => {
        if (end.ending === 'launchFailed') folders.unused();
        return end;
      });
      return { ...running, ended };
    },
    leaveFolder: async (lease) => {
      removeEnded(world.stopgateHome, lease.attemptId);
      await spend.end();
      log.use(null);
      for (const sentence of await folders.leave(lease)) agent.report(sentence);
    },
    settleLeft: async (lease, end) => {
      const details = { ...handed.markOf(lease), ...(await folders.keep(lease)), ...spend.details() };
      const whyNotDone = () =>
        folder === null ? Promise.resolve(null) : askLeft({ ...agent, lease, folder: folder.path });
      const left = { lease, end, whyNotDone, details, exitCodeCounts, account: request.account };
      return settleLeft({ ...left, store, clock: world.clock, tail, secrets: secretValues(world.env) });
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
  readonly budget: AttemptBudget;
  /** The task, as the store has it; null when that is not known. */
  readonly found: Task | null;
  /** Of the task. */
  readonly attempts: readonly Attempt[];
  readonly handed: ReturnType<typeof verificationOfHanded>;
  /** See `repository/pushRequests.ts`; null when nothing is pushed. */
  readonly requests: string | null;
}

/** Starts an agent with our hooks in its settings while it runs. */
async function startWired(place: AgentPlace, start: Start): Promise<StartedAgent> {
  const { world, report } = place;
  const { command, task, folder } = start;
  const budget = enforceable(start, report);
  const { lease } = task;
  const from = folder.continuedFrom === undefined ? '' : `, continuing from branch ${folder.continuedFrom}`;
  report(`task ${lease.taskId} begins in ${folder.path}${from}`);
  await noteLease(place, task, folder);
  const features = ['countdown', 'landing', 'checks'] as const;
  const at = { profile: 'default', folder: folder.path, world, git: worldGit(world) };
  const wired = await command.agent.wire({ command, features, ...at });
  try {
    return await startIn(place, { ...start, budget, wired });
  } catch (error) {
    await wired.release();
    throw error;
  }
}

/** Starts an agent in a folder that has our hooks. */
async function startIn(place: AgentPlace, start: Start & { readonly wired: WiredAgent }): Promise<StartedAgent> {
  const { request, world, store, workerId, report } = place;
  const { command, task, folder, tail, budget, wired } = start;
  const { incarnation, lease } = task;
  const withWords = { ...command, args: [...command.args, ...request.words] };
  const wish = { checks: true, trustProject: false };
  // an agent without a stop hook is held to them too: when it settles its task, or its exit code does
  const held = await armLaunch({ request: wish, folder: folder.path, world });
  const { exitCodeSettles } = command.agent;
  const armed = exitCodeSettles
    ? held
    : await armLaunch({ command: withWords, request: wish, folder: folder.path, world });
  if (armed.sentence !== null) report(armed.sentence);
  const begin = async (session: string) => {
    await writeStart(world.stopgateHome, session, held);
    await freezeFor(session, held, world);
    await rememberBase(session, held, { ...world, commit: folder.base });
  };
  await begin(completionSession(lease));
  const verified = { folder: folder.path, armed: held, byDefault: request.verify };
  const { found, attempts } = start;
  const beginning = { ...verified, lease, task: found, attempts, began: leaseDetails(folder) };
  const mark = await armVerification(beginning, world);
  start.handed.begun(lease, verified, mark);
  await store.heartbeat({ workerId, incarnation, lease, details: { ...leaseDetails(folder), ...mark } });
  if (exitCodeSettles) await begin(taskSession(lease));
  const startedAt = new Date(wallNow(world.clock)).toISOString();
  // the worker reports which checks are armed and how they ended
  const env = {
    ...without(withGitCredentials(start, world.env), wired.env),
    ...(command.agent.isOwn && { [REPORTED]: '1' }),
    ...(start.requests !== null && { [PUSH_REQUESTS]: start.requests }),
    [WORKER_REPOSITORY]: start.found?.repository ?? '',
  };
  // an agent with a budget works on this task only
  const ownPlace = { ...place, oneTask: place.oneTask || budget.isLimited || folder.branch !== null };
  const agentStart = { task, folder: folder.path, env, args: wired.args ?? [], tail, budget };
  const running = await startUntilDone(ownPlace, agentStart, command);
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

/** Its worker pushes the work, with the user's keys: the agent itself does not get them. */
function withGitCredentials({ withheld, requests }: Start, env: World['env']): ReadonlySet<string> {
  return requests === null ? withheld : new Set([...withheld, ...notPassed(GIT_CREDENTIALS, env)]);
}

/** The spending of a plain command cannot be read. */
function enforceable({ command, budget, task }: Start, report: (sentence: string) => void): AttemptBudget {
  if (!budget.isLimited || command.spend.in !== 'nowhere') return budget;
  const { taskId } = task.lease;
  report(`the spending of ${command.name} cannot be read, so the budget of task ${taskId} is not enforced`);
  return NO_BUDGET;
}

/** So that the agent can settle its task while the store cannot be reached. */
async function noteLease({ world, location, report }: AgentPlace, task: FirstTask, folder: TaskFolder): Promise<void> {
  const { lease, title, body } = task;
  const worktree = folder.branch === null ? null : folder.path;
  const record = { version: 1, store: location, lease, title, body, worktree, process: thisProcess() } as const;
  await writeLease(world.stopgateHome, record).catch((error: Error) => {
    report(`while the store cannot be reached, the agent cannot settle its task: ${error.message}`);
  });
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
