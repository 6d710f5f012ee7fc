import { rmSync } from 'node:fs';
import type { FirstTask, RunningAgent } from '../../fleet/worker/runWorker.ts';
import { type AgentCommand, agentCommand } from '../../hosts/agentCommand.ts';
import {
  ACTIVITY_FILE,
  FAILURE_FILE,
  WORKER,
  WORKER_INCARNATION,
  WORKER_ONE_TASK,
} from '../../stop/worker/workerIdentity.ts';
import { signalGroup } from '../../system/processGroup.ts';
import { redactedStream } from '../../system/redactedStream.ts';
import { secretValues } from '../../system/secretPolicy.ts';
import type { World } from '../../system/world.ts';
import type { Writer } from '../../system/writer.ts';
import { agentEnd } from './agentEnd.ts';
import { readFailure } from './failureFile.ts';

export interface AgentPlace {
  readonly world: World;
  /** What the agent inherits. */
  readonly env: Readonly<Record<string, string>>;
  readonly agent: string;
  readonly words: readonly string[];
  readonly workerId: string;
  readonly storePlace: string;
  readonly oneTask: boolean;
  readonly activityFile: string;
  readonly failureFile: string;
  /** Where `stopgate` is this one. */
  readonly binFolder: string;
  readonly writer: Writer;
}

const TAIL_CHARS = 4_000;
const INTERRUPT_MS = 3_000;

/** What it said last, for a task that it leaves behind. */
export interface AgentTail {
  text: string;
}

/** An agent with its first task as the prompt, in its own process group; its words pass through. */
export function startAgent(place: AgentPlace, task: FirstTask, folder: string, tail: AgentTail): RunningAgent {
  const { world, writer } = place;
  const command = workerCommand(place, task.prompt);
  const kill = new AbortController();
  // a worker's output is a log that stays
  const secrets = secretValues(world.env);
  const shown = { stdout: redactedStream(secrets), stderr: redactedStream(secrets) };
  const print = (stream: 'stdout' | 'stderr', text: string) => (stream === 'stdout' ? writer.out : writer.err)(text);
  // whatever the last one made of them
  for (const file of [place.activityFile, place.failureFile]) rmSync(file, { recursive: true, force: true });
  const running = world.processes.start({
    file: command.file,
    args: command.args,
    cwd: folder,
    env: agentEnvironment(place, task),
    input: '',
    maxOutputBytes: 16_384,
    signal: kill.signal,
    onOutput: (stream, chunk) => {
      if (stream === 'stdout') tail.text = (tail.text + chunk).slice(-TAIL_CHARS);
      print(stream, shown[stream].push(chunk));
    },
  });
  return {
    ended: running.ended.then(async (end) => {
      for (const stream of ['stdout', 'stderr'] as const) print(stream, shown[stream].end());
      const hasFailed = end.type === 'exited' && end.code !== 0;
      const { wiredBy } = command;
      const hasHooks = wiredBy === 'claudeSettings';
      const failure = hasFailed ? await readFailure(place.failureFile, world.clock, hasHooks) : null;
      const stderr = 'stderr' in end ? end.stderr : '';
      return agentEnd(end, { tail: `${tail.text}\n${stderr}`, stderr, failure, wiredBy });
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

/** Settling its task is the one thing that an agent must always be allowed to do. */
const MAY_SETTLE = '--allowedTools=Bash(stopgate task *)';

function workerCommand({ agent, words, world }: AgentPlace, prompt: string): AgentCommand {
  const base = agentCommand({
    agent,
    words: agent === 'claude' || agent === 'stopgate' ? ['-p', prompt, ...words] : [...words, prompt],
    env: world.env,
  });
  return base.wiredBy === 'environment' ? base : { ...base, args: [...base.args, MAY_SETTLE] };
}

function agentEnvironment(place: AgentPlace, { incarnation, lease }: FirstTask): Readonly<Record<string, string>> {
  const { env, workerId, storePlace, oneTask, activityFile, failureFile, binFolder } = place;
  const task = {
    STOPGATE_TASK_ID: lease.taskId,
    STOPGATE_TASK_EPOCH: `${lease.epoch}`,
    STOPGATE_ATTEMPT_ID: lease.attemptId,
  };
  return {
    ...env,
    PATH: `${binFolder}:${env.PATH ?? ''}`,
    [WORKER]: workerId,
    [WORKER_INCARNATION]: String(incarnation),
    [ACTIVITY_FILE]: activityFile,
    [FAILURE_FILE]: failureFile,
    STOPGATE_STORE: storePlace,
    // the hook waits and hands over as often as there are tasks; its own rules bound it
    CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0',
    STOPGATE_STOP_HOOK_BLOCK_CAP: '0',
    // later tasks of the same session are others: only an agent for one task can be told in its environment
    ...(oneTask && { [WORKER_ONE_TASK]: '1', ...task }),
  };
}
