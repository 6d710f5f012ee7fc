import { rmSync } from 'node:fs';
import type { LeaseTimes } from '../../fleet/decisions/leaseTimes.ts';
import type { AgentEnd, FirstTask, RunningAgent } from '../../fleet/worker/runWorker.ts';
import type { AgentFailure, AgentWords, HostAgent, Spend } from '../../hosts/host.ts';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { savedFailure } from '../../schemas/savedFailure.ts';
import { sawToolCall } from '../../stop/activity.ts';
import { decideRunEnding, isRunEndingExit } from '../../stop/runEnding.ts';
import { blocksFile, PROMPT_BLOCKS } from '../../stop/worker/promptBlocks.ts';
import {
  ACTIVITY_FILE,
  FAILURE_FILE,
  NO_VERIFY,
  WORKER,
  WORKER_INCARNATION,
  WORKER_ONE_TASK,
} from '../../stop/worker/workerIdentity.ts';
import { USED_UP } from '../../store/budgets.ts';
import { writeEnded } from '../../store/outbox/endedFile.ts';
import type { Store } from '../../store/types.ts';
import type { Clock } from '../../system/clock.ts';
import { describeLeftovers, endLeftovers } from '../../system/leftovers.ts';
import { MARKS, SPEND_FILE } from '../../system/marks.ts';
import type { ProcessEnd, RunningProcess } from '../../system/processes.ts';
import { signalGroup } from '../../system/processGroup.ts';
import { isSameProcess, thisProcess } from '../../system/processLife.ts';
import { readTextFileSync } from '../../system/readTextFile.ts';
import { redactSecrets } from '../../system/redactSecrets.ts';
import { secretValues } from '../../system/secretPolicy.ts';
import type { World } from '../../system/world.ts';
import type { Writer } from '../../system/writer.ts';
import { type SpendWatch, watchSpend } from '../watchSpend.ts';
import { type AgentTail, agentOutput } from './agentOutput.ts';
import type { AttemptBudget } from './attemptBudget.ts';
import type { WorkerRequest } from './workerRequest.ts';

export interface AgentOfWorker {
  readonly request: WorkerRequest;
  readonly world: World;
  readonly writer: Writer;
  readonly store: Store;
  readonly storePlace: string;
  /** Of the store, without a password. */
  readonly location: string;
  readonly workerId: string;
  readonly lease: LeaseTimes;
  readonly report: (sentence: string) => void;
}

export interface AgentPlace extends AgentOfWorker {
  readonly host: HostAgent;
  readonly oneTask: boolean;
  readonly activityFile: string;
  readonly failureFile: string;
  /** Where our own agent writes what it spends. */
  readonly spendFile: string;
  /** A folder for the PATH, whose `stopgate` is this one. */
  readonly binFolder: string;
}

export interface AgentStart {
  readonly task: FirstTask;
  /** Of its command line; default: those of the task. */
  readonly words?: readonly string[];
  readonly folder: string;
  /** The agent's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Words of our wiring for its command line. */
  readonly args: readonly string[];
  readonly tail: AgentTail;
  readonly budget: AttemptBudget;
  readonly onStdout?: ((chunk: string) => void) | undefined;
}

/** With what it has spent until now. */
export interface StartedAgent extends RunningAgent {
  readonly spent: () => Spend | null;
}

const limitsOf = ({ tokenBudget, maxBudgetUsd }: AttemptBudget) => ({
  ...(tokenBudget !== undefined && { tokenBudget }),
  ...(maxBudgetUsd !== undefined && { maxBudgetUsd }),
});

const INTERRUPT_MS = 3_000;

/** Starts an agent with its first task as the prompt, in its own process group; its output passes through. */
export function startAgent(place: AgentPlace, start: AgentStart): StartedAgent {
  const { world, writer, host, request } = place;
  const { task, folder, env, args, tail, budget, words = host.taskWords(task.prompt, request.words) } = start;
  const limits = limitsOf(budget);
  const command = host.command({
    ...{ agent: request.agent, words, env: world.env, cwd: world.cwd },
    showSpend: true,
    ...limits,
  });
  const kill = new AbortController();
  const spend = watchSpend({
    command,
    request: limits,
    spendFile: place.spendFile,
    env: world.env,
    stop: () => void stop(),
  });
  const mark = world.ids.uuid();
  const secrets = secretValues(world.env);
  const output = agentOutput(command, { writer, secrets, tail, spend });
  // left by the previous agent
  for (const file of [place.activityFile, blocksFile(place.activityFile), place.failureFile, place.spendFile])
    rmSync(file, { recursive: true, force: true });
  const running = world.processes.start({
    file: command.file,
    args: [...command.args, ...args],
    cwd: folder,
    env: { ...env, ...agentEnvironment(place, task, env.PATH), [MARKS.attempt]: mark },
    input: '',
    maxOutputBytes: 16_384,
    signal: kill.signal,
    onOutput: (stream, chunk) => {
      if (stream === 'stdout') start.onStdout?.(chunk);
      output.push(stream, chunk);
    },
  });
  let isStopped = false;
  const stop = () => {
    // on a busy machine a timer fires before the end of a process is read, which has ended by itself
    isStopped ||= running.pid === undefined || isSameProcess(running.pid, null);
    return interrupt(running, kill, world.clock);
  };
  return {
    spent: () => spend.total(),
    ended: running.ended.then(async (end) => {
      output.end();
      const hasFailed = end.type === 'exited' && end.code !== 0;
      const hasFinished = host.exitCodeSettles && !isStopped && end.type === 'exited' && !hasFailed;
      // before all that follows, which can take minutes
      if (hasFinished) await noteEnded(place, start);
      const { agent } = command;
      const failure = hasFailed ? await readFailure(place.failureFile, world.clock, agent.reportsFailures) : null;
      const stderr = 'stderr' in end ? end.stderr : '';
      const left = await endLeftovers({ mark: MARKS.attempt, value: mark, group: running.pid, clock: world.clock });
      const answered = agent.printsAnswer ? output.answered() : null;
      const seen = { answered, calledTools: sawToolCall(place.activityFile), changedFiles: null, leftRunning: false };
      return {
        ...agentEnd(end, { tail: `${output.printed()}\n${tail.text}\n${stderr}`, stderr, failure }, agent),
        ...(decideRunEnding(seen) === 'no_work' && { noWork: true }),
        ...(hasFinished && { hasFinished }),
        ...(left.length > 0 && { left: redactSecrets(describeLeftovers(left), secrets) }),
        ...overBudget(budget, spend),
      };
    }),
    end: stop,
  };
}

/** Its worker may be killed before it has settled the task. */
async function noteEnded({ world, location, report }: AgentPlace, { task, folder, tail }: AgentStart): Promise<void> {
  const { lease } = task;
  const secrets = secretValues(world.env);
  const shown = { text: redactSecrets(tail.text, secrets), errors: redactSecrets(tail.errors, secrets) };
  const record = { version: 1, store: location, process: thisProcess(), lease, folder, tail: shown } as const;
  await writeEnded(world.stopgateHome, record).catch((error: Error) => {
    report(`if this worker is killed now, task ${lease.taskId} is done again: ${error.message}`);
  });
}

/** SIGINT first: agents end their turn at it. */
async function interrupt({ pid, ended }: RunningProcess, kill: AbortController, clock: Clock): Promise<void> {
  if (pid !== undefined) signalGroup(pid, 'SIGINT');
  const gone = new AbortController();
  void ended.then(() => gone.abort('the agent is gone'));
  await clock.sleep(INTERRUPT_MS, gone.signal);
  kill.abort('the worker ends it');
  await ended;
}

/** Without a budget of the task, a limit is one of the agent's own arguments. */
function overBudget({ isLimited }: AttemptBudget, spend: SpendWatch): Pick<AgentEnd, 'overBudget'> {
  const reason = isLimited ? spend.limit() : null;
  return reason === null ? {} : { overBudget: `${USED_UP}: ${reason}.` };
}

/** What a worker's agent and its hooks go by. */
export function agentEnvironment(place: AgentPlace, { incarnation, lease }: FirstTask, searchPath = '') {
  const { request, workerId, storePlace, oneTask, activityFile, failureFile, spendFile, binFolder, host } = place;
  const task = {
    STOPGATE_TASK_ID: lease.taskId,
    STOPGATE_TASK_EPOCH: `${lease.epoch}`,
    STOPGATE_ATTEMPT_ID: lease.attemptId,
  };
  return {
    PATH: `${binFolder}:${searchPath}`,
    [WORKER]: workerId,
    [WORKER_INCARNATION]: String(incarnation),
    [ACTIVITY_FILE]: activityFile,
    [FAILURE_FILE]: failureFile,
    ...(host.isOwn && { [SPEND_FILE]: spendFile }),
    STOPGATE_STORE: storePlace,
    // the hook blocks as often as there are tasks; it has limits of its own
    CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0',
    STOPGATE_STOP_HOOK_BLOCK_CAP: '0',
    ...(host.promptBlocks !== undefined && { [PROMPT_BLOCKS]: String(host.promptBlocks) }),
    ...(!request.verify && { [NO_VERIFY]: '1' }),
    // only for an agent with one task: later tasks of a session have other ids
    ...(oneTask && { [WORKER_ONE_TASK]: '1', ...task }),
  };
}

/** Codes from here on mean a signal, which any process can send. */
const SIGNALLED_FROM = 128;

export function agentEnd(
  end: ProcessEnd,
  words: AgentWords,
  agent: Pick<HostAgent, 'accountTrouble' | 'isOwn' | 'exitsWithStatus'>,
): AgentEnd {
  // only a prompt that is too long for a command line is the task's fault
  if (end.type === 'notStarted') return { ending: end.code === 'E2BIG' ? 'crashed' : 'launchFailed', why: end.error };
  // our own agent ended by itself with these codes too
  const isClean = end.type === 'exited' && (end.code === 0 || (agent.isOwn && isRunEndingExit(end.code)));
  if (isClean) return { ending: 'clean', why: 'it ended by itself' };
  const isOwnCode = end.type === 'exited' && (end.code < SIGNALLED_FROM || agent.exitsWithStatus === true);
  const trouble = isOwnCode ? agent.accountTrouble(end.code, words) : null;
  const how =
    end.type === 'exited'
      ? `it exited with code ${end.code}`
      : `it was ended (${end.type === 'signalled' ? end.signal : end.type})`;
  return trouble === null
    ? { ending: 'crashed', why: how }
    : { ending: 'rateLimited', why: `${how}: ${trouble.error.replaceAll('_', ' ')}`, trouble };
}

const MOST_BYTES = 65_536;
const LOOK_EVERY_MS = 50;
const LOOKS = 10;

/**
 * The API error that `stop-failure.sh`, or our own agent, saved. A host does not wait for the script, so the file may appear
 * after the agent is gone.
 */
export async function readFailure(file: string, clock: Clock, hasHooks: boolean): Promise<AgentFailure | null> {
  for (let looks = hasHooks ? LOOKS : 1; looks > 0; looks--) {
    const failure = failureIn(file);
    if (failure !== null) return failure;
    if (looks > 1) await clock.sleep(LOOK_EVERY_MS);
  }
  return null;
}

/** Bounded and without waiting: an agent may have put anything there, even a pipe. */
function failureIn(file: string): AgentFailure | null {
  const read = readTextFileSync(file, MOST_BYTES);
  const saved = savedFailure.safeParse(read.type === 'read' ? jsonValue(read.text) : undefined).data;
  if (saved === undefined) return null;
  const { error, error_details: details, last_assistant_message: message } = saved;
  return { error, text: [details, message].filter(Boolean).join(' '), message };
}
