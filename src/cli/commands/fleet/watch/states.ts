import type { Paint } from '../../../output/colors.ts';

/** What a worker or a task is in, for people. Each has its own word and symbol, so that colors are not needed. */
export const STATES = {
  working: { symbol: '●', style: 'cyan' },
  starting: { symbol: '◌', style: 'cyan' },
  waiting: { symbol: '○', style: 'green' },
  paused: { symbol: '‖', style: 'yellow' },
  draining: { symbol: '↓', style: 'yellow' },
  'needs you': { symbol: '!', style: 'magenta' },
  silent: { symbol: '?', style: 'red' },
  dead: { symbol: '✗', style: 'red' },
  done: { symbol: '✓', style: 'dim' },
  cancelled: { symbol: '-', style: 'dim' },
} as const satisfies Readonly<Record<string, { readonly symbol: string; readonly style: Parameters<Paint>[0] }>>;

export type FleetState = keyof typeof STATES;

/** `● working`. */
export const markedState = (state: FleetState): string => `${STATES[state].symbol} ${state}`;
