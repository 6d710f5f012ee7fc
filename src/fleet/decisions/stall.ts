/** What is done about a worker that lives and does not get on: first it is watched, then asked, then ended. */
export type StallStage = 'warn' | 'nudge' | 'stop';

export interface StallFacts {
  readonly now: number;
  /** Moved by hooks only. */
  readonly activityAt: number;
  readonly toolStartedAt: number | null;
}

const STAGES: readonly (readonly [StallStage, number])[] = [
  ['stop', 30 * 60_000],
  ['nudge', 22 * 60_000],
  ['warn', 15 * 60_000],
];

/** A tool that runs has a time-out of its own, and builds of half an hour are builds. */
const TOOL_PATIENCE = 2;

/** Null while it gets on, or is silent for no longer than a model call can be. */
export function decideStall(facts: StallFacts): { readonly stage: StallStage; readonly silentMs: number } | null {
  const { now, activityAt, toolStartedAt } = facts;
  const silentMs = now - Math.max(activityAt, toolStartedAt ?? 0);
  const patience = toolStartedAt === null ? 1 : TOOL_PATIENCE;
  const stage = STAGES.find(([, afterMs]) => silentMs >= afterMs * patience)?.[0];
  return stage === undefined ? null : { stage, silentMs };
}
