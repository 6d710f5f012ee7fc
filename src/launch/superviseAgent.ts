import type { LaunchPlan, LaunchStage } from '../budget/launchPlan.ts';
import type { Clock } from '../system/clock.ts';
import { formatSeconds } from '../system/formatDuration.ts';
import { endLeftovers, type Leftover } from '../system/leftovers.ts';
import { MARKS } from '../system/marks.ts';
import type { ProcessEnd, ProcessRunner, ProcessSpec } from '../system/processes.ts';
import { signalGroup } from '../system/processGroup.ts';
import type { Writer } from '../system/writer.ts';
import { countText, type KeptWork } from './keepWork.ts';
import { signalMarked } from './terminalAgent.ts';

/** Why an agent's process is gone. */
export type AgentEnd =
  /** `left`: processes that it had left running; they are ended too. */
  | { readonly type: 'finished'; readonly end: ProcessEnd; readonly left: readonly Leftover[] }
  | { readonly type: 'expired'; readonly end: ProcessEnd }
  | { readonly type: 'stopped'; readonly reason: string; readonly end: ProcessEnd };

export interface Supervision {
  readonly processes: Pick<ProcessRunner, 'start'>;
  readonly clock: Clock;
  readonly spec: Omit<ProcessSpec, 'signal' | 'timeoutMs' | 'maxOutputBytes' | 'graceMs'>;
  readonly plan: LaunchPlan;
  /** Not awaited for long: a slow snapshot must not move the deadline. */
  readonly onStage: (stage: LaunchStage) => Promise<void>;
  /** Aborted with a sentence, by a person or a limit. */
  readonly stop: AbortSignal;
  /** Interrupts the agent and its children; by its process group if absent. */
  readonly interrupt?: ((pid: number, env: ProcessSpec['env']) => void) | undefined;
}

/** The time between two signals, for the agent to save its state. */
const INTERRUPT_MS = 3_000;
const TERMINATE_MS = 5_000;
/** How long the last snapshot may delay the end; another one follows anyway. */
const LAST_SNAPSHOT_MS = 5_000;
/** For the report of an agent that could not start. */
const OUTPUT_BYTES = 16 * 1024;

/** Runs an agent in its own process group, and ends the whole group when its time is over or `stop` is aborted. */
export async function superviseAgent(supervision: Supervision): Promise<AgentEnd> {
  const { processes, clock, spec, stop, interrupt = (pid) => signalGroup(pid, 'SIGINT') } = supervision;
  const kill = new AbortController();
  const running = processes.start({
    ...spec,
    signal: kill.signal,
    maxOutputBytes: OUTPUT_BYTES,
    graceMs: TERMINATE_MS,
  });
  const over = new AbortController();
  const ended = running.ended.finally(() => over.abort('the agent is gone'));
  const timeIsUp = followStages(supervision, over.signal);
  const stopped = whenAborted(stop, over.signal);
  const first = await Promise.race([ended.then(() => 'finished' as const), timeIsUp, stopped]);
  if (first === 'finished') {
    const left = await endLeft(running.pid, spec.env, clock);
    return { type: 'finished', end: await ended, left };
  }
  // like Ctrl-C: agents write their transcripts first
  if (running.pid !== undefined) interrupt(running.pid, spec.env);
  await Promise.race([ended, clock.sleep(INTERRUPT_MS, over.signal)]);
  kill.abort('its time is over');
  const end = await ended;
  // processes that left the group (setsid) still have the launch's id in their environment
  signalMarked(spec, undefined, 'SIGKILL');
  return first === 'expired' ? { type: 'expired', end } : { type: 'stopped', reason: String(stop.reason), end };
}

/** An agent's own servers (MCP, language servers) end shortly after it. */
const ENDING_MS = 1_000;

/** By its group, and by the launch's id in their environment those that left the group (setsid). */
async function endLeft(pid: number | undefined, env: ProcessSpec['env'], clock: Clock): Promise<readonly Leftover[]> {
  const { [MARKS.launch]: value } = env;
  if (value === undefined) return [];
  return endLeftovers({ mark: MARKS.launch, value, group: pid, clock, endingMs: ENDING_MS });
}

/** Calls back at each stage; resolves at the last, and never when the agent ends before. */
async function followStages(
  { plan, clock, onStage }: Pick<Supervision, 'plan' | 'clock' | 'onStage'>,
  over: AbortSignal,
): Promise<'expired'> {
  let done: Promise<void> = Promise.resolve();
  for (const stage of plan.stages) {
    // after a suspend several stages may be due together, in order
    while (!over.aborted && clock.now() < stage.at) await clock.sleep(Math.min(stage.at - clock.now(), 60_000), over);
    if (over.aborted) return never();
    // one after the other, without stopping the clock
    done = done.then(() => onStage(stage));
  }
  await Promise.race([done, clock.sleep(LAST_SNAPSHOT_MS, over)]);
  return over.aborted ? never() : 'expired';
}

const never = () => new Promise<never>(() => {});

function whenAborted(stop: AbortSignal, over: AbortSignal): Promise<'stopped'> {
  return new Promise((resolve) => {
    if (stop.aborted) return resolve('stopped');
    stop.addEventListener('abort', () => resolve('stopped'), { once: true, signal: over });
  });
}

export interface StageReporting {
  readonly plan: LaunchPlan;
  readonly quiet: boolean;
  readonly writer: Pick<Writer, 'err'>;
  /** Called with a text for the stage. */
  readonly keep: (stage: string) => Promise<KeptWork>;
}

/** Keeps the work and prints a line at each stage. */
export function reportStages({ plan, quiet, writer, keep }: StageReporting): Supervision['onStage'] {
  return async (stage) => {
    const left = `${formatSeconds(plan.endAt - stage.at)} left`;
    const isExpired = stage.type === 'tier' && stage.tier === 'expired';
    const kept = await keep(stage.type === 'over' ? 'before it was ended' : isExpired ? 'out of time' : left);
    // work that cannot be kept is reported even with --quiet
    if (quiet && kept.type !== 'notKept') return;
    const landing = `time is over, the agent may land for ${formatSeconds(plan.graceEndAt - plan.endAt)}`;
    const what = stage.type === 'over' ? 'the grace is over, ending the agent' : isExpired ? landing : left;
    writer.err(`stopgate: ${what}; ${describeKept(kept)}.\n`);
  };
}

function describeKept(kept: KeptWork): string {
  if (kept.type === 'nothing') return 'nothing is uncommitted';
  if (kept.type === 'notKept') return `UNCOMMITTED WORK COULD NOT BE KEPT: ${kept.reason.replace(/\.$/, '')}`;
  return `${countText(kept)}, not committed, kept at ${kept.where}`;
}
