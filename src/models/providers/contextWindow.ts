import type { Environment } from '../../system/environment.ts';
import type { Model } from '../types.ts';

/** The user's window size for any model. The second one is Claude Code's. */
const SIZES = ['STOPGATE_CONTEXT_WINDOW', 'CLAUDE_CODE_MAX_CONTEXT_TOKENS'] as const;
/** Claude Code's upper limit, to compact earlier. */
const AT_MOST = 'CLAUDE_CODE_AUTO_COMPACT_WINDOW';

export const WINDOW_VARIABLES = [...SIZES, AT_MOST, 'OPENAI_COMPATIBLE_CONTEXT_WINDOW'] as const;

/** The window that the environment sets; the provider's own variables (`more`) come last. */
export function chosenWindow(env: Environment, more: readonly string[] = []): number | undefined {
  return [...SIZES, ...more].map((name) => tokensIn(env[name])).find((tokens) => tokens !== undefined);
}

/** The window to use: what the environment sets, else what is known, up to the environment's limit. */
export function windowOf(env: Environment, known: number, more: readonly string[] = []): number {
  return Math.min(chosenWindow(env, more) ?? known, tokensIn(env[AT_MOST]) ?? Number.POSITIVE_INFINITY);
}

const tokensIn = (text: string | undefined): number | undefined => {
  const value = text?.trim() ?? '';
  return /^[1-9]\d{0,11}$/.test(value) ? Number(value) : undefined;
};

export interface WindowQuery {
  readonly query: (signal: AbortSignal) => Promise<number | undefined>;
  /** The notice for the user when the server does not report it. */
  readonly unknown: (assumed: number) => string;
  /** Limits the server's number to what the environment allows. */
  readonly accept: (tokens: number) => number;
}

/** A model whose window is a guess until its server is queried, once, when it is first needed. */
export function withQueriedWindow(model: Model, { query, unknown, accept }: WindowQuery): Model {
  let contextWindow = model.contextWindow;
  let isQueried = false;
  const learn = async (signal: AbortSignal) => {
    isQueried = true;
    const tokens = await query(signal);
    if (tokens !== undefined) contextWindow = accept(tokens);
    return tokens === undefined && !signal.aborted ? unknown(contextWindow) : undefined;
  };
  return {
    ...model,
    get contextWindow() {
      return contextWindow;
    },
    get learnWindow() {
      return isQueried ? undefined : learn;
    },
  };
}
