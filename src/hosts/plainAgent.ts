import type { World } from '../system/world.ts';
import type { OutputForm, WiredAgent } from './host.ts';

export const asPrinted: OutputForm = (write) => ({ push: write, end: () => {} });

/** For the row of an agent that is like no other in these. */
export const PLAIN_AGENT = {
  reportsFailures: false,
  exitCodeSettles: false,
  printsAnswer: false,
  isOwn: false,
  readsPermissions: false,
} as const;

/** For an agent whose settings are not changed. */
export function unwired({ env }: World, notes: readonly string[] = []): WiredAgent {
  return { notes, env, release: async () => [], [Symbol.asyncDispose]: async () => {} };
}
