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
 * Why this stop must not be held, whatever the checks or the queue would say; null when gates may be asked. Each row has
 * an incident behind it: loops on rate limits, fights with the person, sessions hijacked by another one's state.
 */
export function whyNeverBlock(situation: StopSituation): string | null {
  return ROWS.find(({ holds }) => holds(situation))?.why ?? null;
}

interface Row {
  readonly why: string;
  readonly holds: (situation: StopSituation) => boolean;
}

const ROWS: readonly Row[] = [
  { why: 'Stopgate is switched off', holds: ({ switchedOff }) => switchedOff },
  { why: 'a check started this agent', holds: ({ insideCheck }) => insideCheck },
  { why: 'the host named no session', holds: ({ sessionId }) => sessionId === null || sessionId === '' },
  { why: 'the person interrupted the turn', holds: ({ endedBy }) => endedBy === 'interrupt' },
  { why: 'a rate limit ended the turn', holds: ({ endedBy }) => endedBy === 'rateLimit' },
  { why: 'the context is full', holds: ({ endedBy }) => endedBy === 'contextLimit' },
  { why: 'an error ended the turn', holds: ({ endedBy }) => endedBy === 'error' },
  // it wakes by itself when they end, and stops again then
  { why: 'background tasks are running', holds: ({ backgroundTasks }) => backgroundTasks > 0 },
  { why: 'the session wakes by itself later', holds: ({ scheduledWakeUps }) => scheduledWakeUps > 0 },
  { why: 'the agent only plans', holds: ({ isPlanning }) => isPlanning },
  {
    why: 'the time budget is over',
    holds: ({ remainingSeconds }) => remainingSeconds !== null && remainingSeconds <= 0,
  },
];
