import { rmSync } from 'node:fs';
import type { AgentEnd, FirstTask, RunningAgent } from '../../fleet/worker/runWorker.ts';
import type { AgentWords, HostAgent } from '../../hosts/host.ts';
import { printedAnswer } from '../../hosts/printedAnswer.ts';
import { sawToolCall } from '../../stop/activity.ts';
import { decideRunEnding, isRunEndingExit } from '../../stop/runEnding.ts';
import {
  ACTIVITY_FILE,
  FAILURE_FILE,
  WORKER,
  WORKER_INCARNATION,
  WORKER_ONE_TASK,
} from '../../stop/worker/workerIdentity.ts';
import type { Store } from '../../store/types.ts';
import { describeLeftovers, endLeftovers } from '../../system/leftovers.ts';
import { MARKS, SPEND_FILE } from '../../system/marks.ts';
import type { ProcessEnd } from '../../system/processes.ts';
import { signalGroup } from '../../system/processGroup.ts';
import { redactedStream } from '../../system/redactedStream.ts';
import { redactSecrets } from '../../system/redactSecrets.ts';
import { secretValues } from '../../system/secretPolicy.ts';
import type { World } from '../../system/world.ts';
import type { Writer } from '../../system/writer.ts';
import { readFailure } from './failureFile.ts';
import type { WorkerRequest } from './workerRequest.ts';

export interface AgentOfWorker {
  readonly request: WorkerRequest;
  readonly world: World;
  readonly writer: Writer;
  readonly store: Store;
  readonly storePlace: string;
  readonly workerId: string;
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
  readonly folder: string;
  /** The agent's environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly tail: AgentTail;
}

const TAIL_CHARS = 4_000;
const INTERRUPT_MS = 3_000;

/** The end of its output, for a task that it leaves unsettled. */
export interface AgentTail {
  text: string;
}

/** Starts an agent with its first task as the prompt, in its own process group; its output passes through. */
export function startAgent(place: AgentPlace, { task, folder, env, tail }: AgentStart): RunningAgent {
  const { world, writer, host, request } = place;
  const words = host.taskWords(task.prompt, request.words);
  const command = host.command({ agent: request.agent, words, env: world.env });
  const kill = new AbortController();
  const mark = world.ids.uuid();
  const answer = printedAnswer();
  // a worker's output may be stored as a log
  const secrets = secretValues(world.env);
  const shown = { stdout: redactedStream(secrets), stderr: redactedStream(secrets) };
  const print = (stream: 'stdout' | 'stderr', text: string) => (stream === 'stdout' ? writer.out : writer.err)(text);
  // left by the previous agent
  for (const file of [place.activityFile, place.failureFile, place.spendFile])
    rmSync(file, { recursive: true, force: true });
  const running = world.processes.start({
    file: command.file,
    args: command.args,
    cwd: folder,
    env: { ...env, ...agentEnvironment(place, task, env.PATH), [MARKS.attempt]: mark },
    input: '',
    maxOutputBytes: 16_384,
    signal: kill.signal,
    onOutput: (stream, chunk) => {
      if (stream === 'stdout') {
        tail.text = (tail.text + chunk).slice(-TAIL_CHARS);
        answer.push(chunk);
      }
      print(stream, shown[stream].push(chunk));
    },
  });
  return {
    ended: running.ended.then(async (end) => {
      for (const stream of ['stdout', 'stderr'] as const) print(stream, shown[stream].end());
      const hasFailed = end.type === 'exited' && end.code !== 0;
      const { agent } = command;
      const failure = hasFailed ? await readFailure(place.failureFile, world.clock, agent.reportsFailures) : null;
      const stderr = 'stderr' in end ? end.stderr : '';
      const left = await endLeftovers({ mark: MARKS.attempt, value: mark, group: running.pid, clock: world.clock });
      const answered = agent.printsAnswer ? answer.answered() : null;
      const seen = { answered, calledTools: sawToolCall(place.activityFile), changedFiles: null, leftRunning: false };
      return {
        ...agentEnd(end, { tail: `${tail.text}\n${stderr}`, stderr, failure }, agent),
        ...(decideRunEnding(seen) === 'no_work' && { noWork: true }),
        ...(left.length > 0 && { left: redactSecrets(describeLeftovers(left), secrets) }),
      };
    }),
    end: async () => {
      if (running.pid !== undefined) signalGroup(running.pid, 'SIGINT');
      const gone = new AbortController();
      void running.ended.then(() => gone.abort('the agent is gone'));
      await world.clock.sleep(INTERRUPT_MS, gone.signal);
      kill.abort('the worker ends it');
      await running.ended;
    },
  };
}

function agentEnvironment(place: AgentPlace, { incarnation, lease }: FirstTask, searchPath = '') {
  const { workerId, storePlace, oneTask, activityFile, failureFile, spendFile, binFolder, host } = place;
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
    // only for an agent with one task: later tasks of a session have other ids
    ...(oneTask && { [WORKER_ONE_TASK]: '1', ...task }),
  };
}

/** Codes from here on mean a signal, which any process can send. */
const SIGNALLED_FROM = 128;

export function agentEnd(
  end: ProcessEnd,
  words: AgentWords,
  agent: Pick<HostAgent, 'accountTrouble' | 'isOwn'>,
): AgentEnd {
  // only a prompt that is too long for a command line is the task's fault
  if (end.type === 'notStarted') return { ending: end.code === 'E2BIG' ? 'crashed' : 'launchFailed', why: end.error };
  // our own agent ended by itself with these codes too
  const isClean = end.type === 'exited' && (end.code === 0 || (agent.isOwn && isRunEndingExit(end.code)));
  if (isClean) return { ending: 'clean', why: 'it ended by itself' };
  const trouble = end.type === 'exited' && end.code < SIGNALLED_FROM ? agent.accountTrouble(end.code, words) : null;
  const how =
    end.type === 'exited'
      ? `it exited with code ${end.code}`
      : `it was ended (${end.type === 'signalled' ? end.signal : end.type})`;
  return trouble === null
    ? { ending: 'crashed', why: how }
    : { ending: 'rateLimited', why: `${how}: ${trouble.error.replaceAll('_', ' ')}`, trouble };
}
