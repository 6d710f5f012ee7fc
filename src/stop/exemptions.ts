/** In the environment of a check: an agent that it starts must not have its own stop checked. */
export const INSIDE_CHECK = 'STOPGATE_INSIDE_CHECK';

/** What is known of a stop before any gate is asked. */
export interface StopSituation {
  /** The person's own switch, for one session or for all. */
  readonly switchedOff: boolean;
  /** This agent was started by a check, which would be run again for its stop, without end. */
  readonly insideCheck: boolean;
  readonly sessionId: string | null;
  /** How the host says the turn ended, where it says so. */
  readonly endedBy: 'itself' | 'interrupt' | 'error' | 'rateLimit' | 'contextLimit';
  readonly backgroundTasks: number;
  readonly scheduledWakeUps: number;
  readonly isPlanning: boolean;
  /** Of the time budget; null without one. */
  readonly remainingSeconds: number | null;
}

/**
 * Why a stop must not be held, whatever the checks or the queue would say. Each row has an incident behind it: loops on
 * rate limits, fights with the person, sessions hijacked by another one's state.
 */
export const NEVER_BLOCK_WORDS = {
  switchedOff: 'Stopgate is switched off',
  insideCheck: 'a check started this agent',
  noSession: 'the host named no session',
  interrupted: 'the person interrupted the turn',
  rateLimit: 'a rate limit ended the turn',
  contextLimit: 'the context is full',
  apiError: 'an error ended the turn',
  // it wakes by itself when they end, and stops again then
  backgroundTasks: 'background tasks are running',
  wakesLater: 'the session wakes by itself later',
  planning: 'the agent only plans',
  timeOver: 'the time budget is over',
} as const;

export type NeverBlockCode = keyof typeof NEVER_BLOCK_WORDS;

/** The first row that holds; null when gates may be asked. */
export function neverBlockCode(situation: StopSituation): NeverBlockCode | null {
  return ROWS.find(([, holds]) => holds(situation))?.[0] ?? null;
}

export function whyNeverBlock(situation: StopSituation): string | null {
  const code = neverBlockCode(situation);
  return code === null ? null : NEVER_BLOCK_WORDS[code];
}

const ROWS: readonly (readonly [NeverBlockCode, (situation: StopSituation) => boolean])[] = [
  ['switchedOff', ({ switchedOff }) => switchedOff],
  ['insideCheck', ({ insideCheck }) => insideCheck],
  ['noSession', ({ sessionId }) => sessionId === null || sessionId === ''],
  ['interrupted', ({ endedBy }) => endedBy === 'interrupt'],
  ['rateLimit', ({ endedBy }) => endedBy === 'rateLimit'],
  ['contextLimit', ({ endedBy }) => endedBy === 'contextLimit'],
  ['apiError', ({ endedBy }) => endedBy === 'error'],
  ['backgroundTasks', ({ backgroundTasks }) => backgroundTasks > 0],
  ['wakesLater', ({ scheduledWakeUps }) => scheduledWakeUps > 0],
  ['planning', ({ isPlanning }) => isPlanning],
  ['timeOver', ({ remainingSeconds }) => remainingSeconds !== null && remainingSeconds <= 0],
];
