import type { State } from './state.ts';
import type { Terminal } from './terminal.ts';

/** The loop goes round with a new state, or the turn is over. */
export type StepTaken =
  | { readonly type: 'next'; readonly state: State }
  | { readonly type: 'end'; readonly terminal: Terminal };

export const end = (terminal: Terminal): StepTaken => ({ type: 'end', terminal });
export const next = (state: State): StepTaken => ({ type: 'next', state });
