/** What happens to a worker that lives but makes no progress: first it is reported, then ended. */
export type StallStage = 'warn' | 'stop';

export interface StallFacts {
  readonly now: number;
  /** Moved by hooks only. */
  readonly activityAt: number;
  readonly toolStartedAt: number | null;
  /** Longer than others would wait before ending it: its own supervisor comes first. */
  readonly graceMs?: number;
}

const STOP_MS = 30 * 60_000;

const STAGES: readonly (readonly [StallStage, number])[] = [
  ['stop', STOP_MS],
  ['warn', 15 * 60_000],
];

/** A tool that runs has a time-out of its own, and builds of half an hour are builds. */
const TOOL_PATIENCE = 2;

/** Null while it gets on, or is silent for no longer than a model call can be. */
export function decideStall(facts: StallFacts): { readonly stage: StallStage; readonly silentMs: number } | null {
  const { now, activityAt, toolStartedAt, graceMs = 0 } = facts;
  const silentMs = now - Math.max(activityAt, toolStartedAt ?? 0);
  const patience = toolStartedAt === null ? 1 : TOOL_PATIENCE;
  const limitOf = (stage: StallStage, afterMs: number) => afterMs * patience + (stage === 'stop' ? graceMs : 0);
  const reached = STAGES.find(([stage, afterMs]) => silentMs >= limitOf(stage, afterMs));
  return reached === undefined ? null : { stage: reached[0], silentMs };
}

/** How long it may be silent. */
export function stallLimitMs(isBusy: boolean): number {
  return STOP_MS * (isBusy ? TOOL_PATIENCE : 1);
}
