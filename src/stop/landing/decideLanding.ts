import { formatSeconds } from '../../system/formatDuration.ts';
import { askedSeconds, sleepSeconds, type ToolCall } from './askedTime.ts';
import { type LandingPurpose, landingPurpose } from './landingCommand.ts';

/**
 * What may still run on a clock that runs out, so that the last minutes end in a commit and a report:
 *
 * time left      everything that does not ask for more time than there is
 * last stretch   commits, tests and reads
 * grace          commits and reads
 * its last part  nothing: it is kept for one answer, the report
 */
export type LandingStage = 'flying' | 'lastStretch' | 'grace' | 'reportOnly';

export interface LandingClock {
  readonly remainingSeconds: number;
  /** How much of the end is the last stretch: less than two minutes of a short budget, which would be nothing else. */
  readonly lastStretchSeconds?: number;
  /** Until the agent is ended; null when nobody will. */
  readonly graceSecondsLeft: number | null;
}

export type LandingAnswer = { readonly type: 'pass' } | { readonly type: 'refuse'; readonly reason: string };

/** A model needs about this long to write a report; of a short grace it gets half. */
const REPORT_SECONDS = 20;
/** When the countdown says STOP EDITING. */
const LAST_STRETCH_SECONDS = 120;
/** The report itself, where its form is asked for. */
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
          `Only ${leftInWords(clock)} of the time budget are left: commits, tests and reads still run, ${call.tool} here does not. Commit what you have (git add -A && git commit), then say what is done and what is not.`,
        )),
  grace: (call) =>
    mayDo(call, ['commit', 'read'])
      ? PASS
      : refuse(
          'The time budget is over: only commits and reads still run. Commit what you have, then say what is done and what is not.',
        ),
  reportOnly: () =>
    refuse(
      'Time is over and no tool runs any more; unfinished work is kept for you. Answer now, in a few sentences: what is done, what is not, what comes next.',
    ),
};

function tooLong(call: ToolCall, clock: LandingClock): LandingAnswer | null {
  const most = askedSeconds(call);
  if (most === null || most <= clock.remainingSeconds) return null;
  // the timeout of a commit or a read is a bound that it will not come near
  const asked = mayDo(call, ['commit', 'read']) ? sleepSeconds(call) : most;
  if (asked === null || asked <= clock.remainingSeconds) return null;
  return refuse(
    `This asks for ${formatSeconds(Math.ceil(asked) * 1000)}, but only ${leftInWords(clock)} of the time budget are left. Ask for less, or commit what you have.`,
  );
}

const leftInWords = ({ remainingSeconds }: LandingClock) => formatSeconds(Math.floor(remainingSeconds) * 1000);

function mayDo({ tool, input }: ToolCall, purposes: readonly LandingPurpose[]): boolean {
  if (tool !== 'Bash') return READING_TOOLS.has(tool);
  return typeof input.command === 'string' && purposes.includes(landingPurpose(input.command));
}
