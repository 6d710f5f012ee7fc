import type { QueryEvent } from '../../../../query/events.ts';
import type { CheckProgress, CheckResult } from '../../../../stop/checks/types.ts';
import { formatSeconds } from '../../../../system/formatDuration.ts';
import type { Paint } from '../../../output/colors.ts';
import { markedOutcome, type Outcome, outcomeStyle } from '../../../output/outcomes.ts';
import { oneLine } from '../../../output/visibleText.ts';
import type { HookProgress } from '../../prompt/output/hookStatus.ts';

/** One hook of the event that runs now. */
export interface RunningHook {
  readonly id: string;
  readonly label: string;
  readonly event: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly outcome?: Outcome;
}

/** The hooks that run now, after one more event; those of an earlier event are gone when a new one starts. */
export function followHooks(hooks: readonly RunningHook[], event: QueryEvent, now: number): readonly RunningHook[] {
  if (event.type !== 'hook_progress') return hooks;
  const progress = event.data as unknown as HookProgress;
  if (progress.type === 'hook_started') {
    const { hook_id: id, hook_event, statusMessage, command = 'a hook' } = progress;
    const label = statusMessage ?? command;
    const others = hooks.some(({ endedAt }) => endedAt === undefined) ? hooks : [];
    return [...others, { id, label, event: hook_event, startedAt: now }];
  }
  if (progress.type !== 'hook_response') return hooks;
  return hooks.map((hook) =>
    hook.id === progress.hook_id ? { ...hook, endedAt: now, outcome: outcomeOf(progress) } : hook,
  );
}

/** Not by its exit code: a hook may block with an answer, and a 2 means nothing on some events. */
function outcomeOf({ outcome, isBlocking }: HookProgress): Outcome {
  if (isBlocking) return 'blocked';
  if (outcome === 'cancelled') return 'skipped';
  return outcome === 'error' ? 'no verdict' : 'passed';
}

/** One check of a stop, below the hook that runs it. */
export interface RunningCheck {
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly outcome?: Outcome;
  /** In place of the outcome's own word. */
  readonly word?: string;
}

/** The checks of the stop that is decided now, after one more step. */
export function followCheck(
  checks: readonly RunningCheck[],
  { name, state }: CheckProgress,
  now: number,
): readonly RunningCheck[] {
  const before = checks.find((one) => one.name === name);
  const word = state === 'failed' ? { word: state } : {};
  const after: RunningCheck =
    state === 'running'
      ? { name, startedAt: now }
      : { name, startedAt: before?.startedAt ?? now, endedAt: now, outcome: CHECK_OUTCOMES[state], ...word };
  return before === undefined ? [...checks, after] : checks.map((one) => (one === before ? after : one));
}

/** Whether a failure blocks is decided when all have run. */
const CHECK_OUTCOMES: Readonly<Record<CheckResult['type'], Outcome>> = {
  passed: 'passed',
  remembered: 'passed',
  failed: 'blocked',
  accepted: 'accepted',
  waived: 'waived',
  advised: 'advised',
  nothingChanged: 'skipped',
  changedByOthers: 'skipped',
  outOfTime: 'no verdict',
};

export const areRunning = (hooks: readonly RunningHook[]): boolean =>
  hooks.some(({ endedAt }) => endedAt === undefined);

interface LineStyle {
  readonly paint: Paint;
  readonly now: number;
}

/** A heading with how many have ended, and a line for each hook and each check. */
export function gateLines(hooks: readonly RunningHook[], checks: readonly RunningCheck[], style: LineStyle): string[] {
  const { paint } = style;
  const [first] = hooks;
  if (first === undefined || !areRunning(hooks)) return [];
  const ended = hooks.filter(({ endedAt }) => endedAt !== undefined).length;
  const heading = `${first.event}: ${ended} of ${hooks.length} done`;
  return [
    paint('bold', heading),
    ...hooks.map((hook) => gateLine({ ...hook, name: hook.label }, 2, style)),
    ...checks.map((check) => gateLine(check, 4, style)),
  ];
}

function gateLine(
  { name, startedAt, endedAt, outcome, word = outcome }: RunningCheck,
  indent: number,
  { paint, now }: LineStyle,
): string {
  const time = formatSeconds((endedAt ?? now) - startedAt);
  const mark = outcome === undefined ? '…' : markedOutcome(outcome, '').trim();
  const line = `${' '.repeat(indent)}${mark} ${oneLine(name)} · ${word ?? 'running'} · ${time}`;
  return paint(outcome === undefined ? 'cyan' : outcomeStyle(outcome), line);
}
