/** Set in the environment of a check: the stop of an agent that it starts must not be checked. */
export const INSIDE_CHECK = 'STOPGATE_INSIDE_CHECK';

/** What is known about a stop before any gate decides. */
export interface StopSituation {
  /** The person's own switch, for one session or for all. */
  readonly switchedOff: boolean;
  /** A check started this agent; checking its stop would start it again, endlessly. */
  readonly insideCheck: boolean;
  readonly sessionId: string | null;
  /** How the turn ended, where the host reports it. */
  readonly endedBy: 'itself' | 'interrupt' | 'error' | 'rateLimit' | 'contextLimit';
  /** Without commands, which gates wait for. */
  readonly backgroundTasks: number;
  readonly scheduledWakeUps: number;
  readonly isPlanning: boolean;
  /** It repeats its stop without a request to its model. */
  readonly isHostStuck?: boolean;
  /** Of the time budget; null without a budget. */
  readonly remainingSeconds: number | null;
  /** The agent has used the tokens that it may use. */
  readonly tokensOver?: boolean;
}

/**
 * Why a stop must not be blocked, whatever the checks or the queue would answer. Each row comes from an incident: loops on
 * rate limits, fights with the person, sessions hijacked by the state of another one.
 */
export const NEVER_BLOCK_WORDS = {
  switchedOff: 'Stopgate is switched off',
  insideCheck: 'a check started this agent',
  noSession: 'the host named no session',
  interrupted: 'the person interrupted the turn',
  rateLimit: 'a rate limit ended the turn',
  contextLimit: 'the context is full',
  apiError: 'an error ended the turn',
  // subagents: it resumes when they end, and stops again then
  backgroundTasks: 'background tasks are running',
  wakesLater: 'the session resumes by itself later',
  planning: 'the agent is in plan mode',
  timeOver: 'the time budget is over',
  tokensOver: 'the token limit is reached',
  hostStuck: 'the host repeats the stop without asking its model, as after its loop detection',
} as const;

export type NeverBlockCode = keyof typeof NEVER_BLOCK_WORDS;

/** Reasons that an agent can make itself: another schedule, another subagent at each stop. */
export const OWN_MAKING: ReadonlySet<NeverBlockCode> = new Set(['wakesLater', 'backgroundTasks']);

/** The first row that applies; null when gates may decide. */
export function neverBlockCode(situation: StopSituation): NeverBlockCode | null {
  return ROWS.find(([, holds]) => holds(situation))?.[0] ?? null;
}

const ROWS: readonly (readonly [NeverBlockCode, (situation: StopSituation) => boolean])[] = [
  ['switchedOff', ({ switchedOff }) => switchedOff],
  ['insideCheck', ({ insideCheck }) => insideCheck],
  ['noSession', ({ sessionId }) => sessionId === null || sessionId === ''],
  ['interrupted', ({ endedBy }) => endedBy === 'interrupt'],
  ['rateLimit', ({ endedBy }) => endedBy === 'rateLimit'],
  ['contextLimit', ({ endedBy }) => endedBy === 'contextLimit'],
  ['apiError', ({ endedBy }) => endedBy === 'error'],
  ['wakesLater', ({ scheduledWakeUps }) => scheduledWakeUps > 0],
  ['planning', ({ isPlanning }) => isPlanning],
  ['timeOver', ({ remainingSeconds }) => remainingSeconds !== null && remainingSeconds <= 0],
  ['tokensOver', ({ tokensOver }) => tokensOver === true],
  ['hostStuck', ({ isHostStuck }) => isHostStuck === true],
  // the last one: it applies once for the same tasks
  ['backgroundTasks', ({ backgroundTasks }) => backgroundTasks > 0],
];
