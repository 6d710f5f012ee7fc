import type { GateEnding } from './gateEnding.ts';

/** What one of our own stop policies answers. Notes are for people, never for the agent. */
export type GateAnswer =
  | { readonly type: 'pass'; readonly notes: readonly string[]; readonly ending: GateEnding }
  | { readonly type: 'block'; readonly reason: string; readonly notes: readonly string[]; readonly ending: GateEnding };
