import type { QueryEvent } from '../../../../query/events.ts';
import { formatSeconds } from '../../../../system/formatDuration.ts';
import type { Paint } from '../../../output/colors.ts';
import { markedOutcome, type Outcome, outcomeStyle } from '../../../output/outcomes.ts';
import { oneLine } from '../../../output/visibleText.ts';

/** One hook of the event that runs now. */
export interface RunningHook {
  readonly id: string;
  readonly label: string;
  readonly event: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly outcome?: Outcome;
}

interface HookProgress {
  readonly type: string;
  readonly hook_id: string;
  readonly hook_event: string;
  readonly command?: string;
  readonly statusMessage?: string;
  readonly outcome?: string;
  readonly exit_code?: number;
}

const BLOCKED_CODE = 2;

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

function outcomeOf({ outcome, exit_code: code }: HookProgress): Outcome {
  if (code === BLOCKED_CODE) return 'blocked';
  if (outcome === 'cancelled') return 'skipped';
  return outcome === 'error' ? 'no verdict' : 'passed';
}

export const areRunning = (hooks: readonly RunningHook[]): boolean =>
  hooks.some(({ endedAt }) => endedAt === undefined);

/** A heading with how many have ended, and a line for each. Tool hooks are too short to be worth lines. */
export function gateLines(hooks: readonly RunningHook[], { paint, now }: { paint: Paint; now: number }): string[] {
  const [first] = hooks;
  if (first === undefined || !areRunning(hooks)) return [];
  const ended = hooks.filter(({ endedAt }) => endedAt !== undefined).length;
  const heading = `${first.event}: ${ended} of ${hooks.length} done`;
  return [
    paint('bold', heading),
    ...hooks.map(({ label, startedAt, endedAt, outcome }) => {
      const time = formatSeconds((endedAt ?? now) - startedAt);
      const mark = outcome === undefined ? '…' : markedOutcome(outcome, '').trim();
      const line = `  ${mark} ${oneLine(label)} · ${outcome ?? 'running'} · ${time}`;
      return paint(outcome === undefined ? 'cyan' : outcomeStyle(outcome), line);
    }),
  ];
}
