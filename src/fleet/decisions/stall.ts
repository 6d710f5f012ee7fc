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
const WARN_MS = 15 * 60_000;

/** A running tool has its own timeout, and builds of half an hour are normal. */
const TOOL_PATIENCE = 2;

/** Null while it makes progress, or is silent for no longer than a model call can be. */
export function decideStall(facts: StallFacts): { readonly stage: StallStage; readonly silentMs: number } | null {
  const { now, activityAt, toolStartedAt, graceMs = 0 } = facts;
  const silentMs = now - Math.max(activityAt, toolStartedAt ?? 0);
  const isBusy = toolStartedAt !== null;
  if (silentMs >= stallLimitMs(isBusy) + graceMs) return { stage: 'stop', silentMs };
  return silentMs >= stallLimitMs(isBusy, WARN_MS) ? { stage: 'warn', silentMs } : null;
}

/** How long it may be silent. */
export const stallLimitMs = (isBusy: boolean, ms = STOP_MS): number => ms * (isBusy ? TOOL_PATIENCE : 1);
