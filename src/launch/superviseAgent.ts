import type { LaunchPlan, LaunchStage } from '../budget/launchPlan.ts';
import type { Clock } from '../system/clock.ts';
import { markedProcesses, signalProcess } from '../system/markedProcesses.ts';
import { MARKS } from '../system/marks.ts';
import type { ProcessEnd, ProcessRunner, ProcessSpec } from '../system/processes.ts';
import { signalGroup } from '../system/processGroup.ts';

/** Why an agent's process is gone. */
export type AgentEnd =
  | { readonly type: 'finished'; readonly end: ProcessEnd }
  | { readonly type: 'expired'; readonly end: ProcessEnd }
  | { readonly type: 'stopped'; readonly reason: string; readonly end: ProcessEnd };

export interface Supervision {
  readonly processes: Pick<ProcessRunner, 'start'>;
  readonly clock: Clock;
  readonly spec: Omit<ProcessSpec, 'signal' | 'timeoutMs' | 'maxOutputBytes' | 'graceMs'>;
  readonly plan: LaunchPlan;
  /** Never waited for beyond a breath: a snapshot that takes long must not move the deadline. */
  readonly onMoment: (moment: LaunchStage) => Promise<void>;
  /** Aborted with a sentence when somebody else wants the agent to end: a person, a limit. */
  readonly stop: AbortSignal;
  /** How the agent and its children are interrupted; by its process group if absent. */
  readonly interrupt?: ((pid: number, env: ProcessSpec['env']) => void) | undefined;
}

/** An agent that is asked to end gets this long to put down what it holds, then the next signal. */
const INTERRUPT_MS = 3_000;
const TERMINATE_MS = 5_000;
/** How long the last snapshot before the end may hold it up; another one follows it anyway. */
const LAST_BREATH_MS = 5_000;
/** Kept only for a report of an agent that could not start. */
const OUTPUT_BYTES = 16 * 1024;

/** Runs an agent in its own process group on a clock, and ends the whole group when time or somebody says so. */
export async function superviseAgent(supervision: Supervision): Promise<AgentEnd> {
  const { processes, clock, spec, plan, onMoment, stop } = supervision;
  const { interrupt = (pid) => signalGroup(pid, 'SIGINT') } = supervision;
  const kill = new AbortController();
  const running = processes.start({
    ...spec,
    signal: kill.signal,
    maxOutputBytes: OUTPUT_BYTES,
    graceMs: TERMINATE_MS,
  });
  const over = new AbortController();
  const ended = running.ended.finally(() => over.abort('the agent is gone'));
  const timeIsUp = walk(plan.stages, { clock, onMoment, over: over.signal });
  const stopped = whenAborted(stop, over.signal);
  const first = await Promise.race([ended.then(() => 'finished' as const), timeIsUp, stopped]);
  if (first === 'finished') {
    endMarked(spec.env);
    return { type: 'finished', end: await ended };
  }
  // as Ctrl-C would: agents write their transcripts and say goodbye
  if (running.pid !== undefined) interrupt(running.pid, spec.env);
  await Promise.race([ended, clock.sleep(INTERRUPT_MS, over.signal)]);
  kill.abort('its time is over');
  const end = await ended;
  endMarked(spec.env);
  return first === 'expired' ? { type: 'expired', end } : { type: 'stopped', reason: String(stop.reason), end };
}

/** What left the group (setsid) is not in it any more, but has the launch's name in its environment. */
function endMarked({ [MARKS.launch]: id }: ProcessSpec['env']): void {
  if (id === undefined) return;
  for (const pid of markedProcesses(MARKS.launch, id)) signalProcess(pid, 'SIGKILL');
}

/** Each moment when it comes; resolves at the last, and never when the agent is gone before. */
async function walk(
  moments: readonly LaunchStage[],
  {
    clock,
    onMoment,
    over,
  }: { readonly clock: Clock; readonly onMoment: Supervision['onMoment']; readonly over: AbortSignal },
): Promise<'expired'> {
  let done: Promise<void> = Promise.resolve();
  for (const moment of moments) {
    // a machine that slept wakes up late: several moments are then due at once, in order
    while (!over.aborted && clock.now() < moment.at) await clock.sleep(Math.min(moment.at - clock.now(), 60_000), over);
    if (over.aborted) return never();
    // one after the other, beside the clock
    done = done.then(() => onMoment(moment));
  }
  await Promise.race([done, clock.sleep(LAST_BREATH_MS, over)]);
  return over.aborted ? never() : 'expired';
}

const never = () => new Promise<never>(() => {});

function whenAborted(stop: AbortSignal, over: AbortSignal): Promise<'stopped'> {
  return new Promise((resolve) => {
    if (stop.aborted) return resolve('stopped');
    stop.addEventListener('abort', () => resolve('stopped'), { once: true, signal: over });
  });
}
