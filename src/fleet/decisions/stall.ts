/** A worker that is alive but makes no progress is first reported, then ended. */
export type StallStage = 'warn' | 'stop';

export interface StallFacts {
  readonly now: number;
  /** Updated by hooks only. */
  readonly activityAt: number;
  readonly toolStartedAt: number | null;
  /** Extra time before ending it, so that its own supervisor acts first. */
  readonly graceMs?: number;
}

const STOP_MS = 30 * 60_000;

const STAGES: readonly (readonly [StallStage, number])[] = [
  ['stop', STOP_MS],
  ['warn', 15 * 60_000],
];

/** A running tool has its own timeout, and builds of half an hour are normal. */
const TOOL_PATIENCE = 2;

/** Null while it makes progress, or is silent for no longer than a model call can be. */
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
