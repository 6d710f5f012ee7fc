import { formatSeconds } from '../../system/formatDuration.ts';
import { askedSeconds, sleepSeconds, type ToolCall } from './askedTime.ts';
import type { LandingPurpose } from './gitPurpose.ts';
import { landingPurpose } from './landingCommand.ts';

/**
 * What may still run when time runs out, so that the last minutes end in a commit and a report:
 *
 * time left      everything that does not need more time than is left
 * last stretch   commits, tests and reads
 * grace          commits and reads
 * its last part  nothing: it is reserved for the report
 */
export type LandingStage = 'flying' | 'lastStretch' | 'grace' | 'reportOnly';

export interface LandingClock {
  readonly remainingSeconds: number;
  /** The length of the last stretch, shorter in a short budget. */
  readonly lastStretchSeconds?: number;
  /** Until the agent is ended; null when it will not be. */
  readonly graceSecondsLeft: number | null;
}

export type LandingAnswer = { readonly type: 'pass' } | { readonly type: 'refuse'; readonly reason: string };

/** A model needs about this long for a report; it gets at most half of the grace. */
const REPORT_SECONDS = 20;
/** When the countdown prints STOP EDITING. */
const LAST_STRETCH_SECONDS = 120;
/** The report itself, when it has to be structured. */
const REPORT_TOOL = 'StructuredOutput';
const READING_TOOLS = new Set(
  'Read Grep Glob LS NotebookRead TaskList TaskGet TaskUpdate TaskOutput TaskStop TodoWrite BashOutput KillShell KillBash ExitPlanMode'.split(
    ' ',
  ),
);

export function landingStage({ remainingSeconds, graceSecondsLeft, lastStretchSeconds }: LandingClock): LandingStage {
  if (remainingSeconds > 0)
    return remainingSeconds < (lastStretchSeconds ?? LAST_STRETCH_SECONDS) ? 'lastStretch' : 'flying';
  if (graceSecondsLeft === null) return 'grace';
  const wholeGrace = graceSecondsLeft - Math.min(0, remainingSeconds);
  return graceSecondsLeft <= Math.min(REPORT_SECONDS, wholeGrace / 2) ? 'reportOnly' : 'grace';
}

export function decideLanding(call: ToolCall, clock: LandingClock): LandingAnswer {
  return call.tool === REPORT_TOOL ? PASS : STAGES[landingStage(clock)](call, clock);
}

const PASS: LandingAnswer = { type: 'pass' };
const refuse = (reason: string): LandingAnswer => ({ type: 'refuse', reason });

const STAGES: { readonly [Stage in LandingStage]: (call: ToolCall, clock: LandingClock) => LandingAnswer } = {
  flying: (call, clock) => tooLong(call, clock) ?? PASS,
  lastStretch: (call, clock) =>
    tooLong(call, clock) ??
    (mayDo(call, ['commit', 'test', 'read'])
      ? PASS
      : refuse(
          `Only ${formatLeft(clock)} of the time budget is left: commits, tests and reads still run, but not this ${call.tool} call. Commit what you have (git add -A && git commit), then report what is done and what is not.`,
        )),
  grace: (call) =>
    mayDo(call, ['commit', 'read'])
      ? PASS
      : refuse(
          'The time budget is over: only commits and reads still run. Commit what you have, then report what is done and what is not.',
        ),
  reportOnly: () =>
    refuse(
      'Time is over and tools no longer run; your uncommitted work will be kept. Answer now, in a few sentences: what is done, what is not, what comes next.',
    ),
};

function tooLong(call: ToolCall, clock: LandingClock): LandingAnswer | null {
  const most = askedSeconds(call);
  if (most === null || most <= clock.remainingSeconds) return null;
  // commits and reads never come near their timeout
  const needed = mayDo(call, ['commit', 'read']) ? sleepSeconds(call) : most;
  if (needed === null || needed <= clock.remainingSeconds) return null;
  return refuse(
    `This may take ${formatSeconds(Math.ceil(needed) * 1000)}, but only ${formatLeft(clock)} of the time budget is left. Use a shorter timeout, or commit what you have.`,
  );
}

const formatLeft = ({ remainingSeconds }: LandingClock) => formatSeconds(Math.floor(remainingSeconds) * 1000);

function mayDo({ tool, input }: ToolCall, purposes: readonly LandingPurpose[]): boolean {
  if (tool !== 'Bash') return READING_TOOLS.has(tool);
  return typeof input.command === 'string' && purposes.includes(landingPurpose(input.command));
}
