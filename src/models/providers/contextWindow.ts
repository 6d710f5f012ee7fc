import type { Model } from '../types.ts';
import type { Env } from './provider.ts';

/** How large the person says that the window is, for any model. The second one is Claude Code's. */
const SIZES = ['STOPGATE_CONTEXT_WINDOW', 'CLAUDE_CODE_MAX_CONTEXT_TOKENS'] as const;
/** Claude Code's: compacts earlier than the model would need it. */
const AT_MOST = 'CLAUDE_CODE_AUTO_COMPACT_WINDOW';

export const WINDOW_VARIABLES = [...SIZES, AT_MOST, 'OPENAI_COMPATIBLE_CONTEXT_WINDOW'] as const;

/** A window that the environment sets, for a model whose provider's variables come last. */
export function chosenWindow(env: Env, more: readonly string[] = []): number | undefined {
  return [...SIZES, ...more].map((name) => tokensIn(env[name])).find((tokens) => tokens !== undefined);
}

/** The window to work with: what the environment sets, else what is known, and never more than it allows. */
export function windowOf(env: Env, known: number, more: readonly string[] = []): number {
  return Math.min(chosenWindow(env, more) ?? known, tokensIn(env[AT_MOST]) ?? Number.POSITIVE_INFINITY);
}

const tokensIn = (text: string | undefined): number | undefined => {
  const value = text?.trim() ?? '';
  return /^[1-9]\d{0,11}$/.test(value) ? Number(value) : undefined;
};

export interface Asking {
  readonly ask: (signal: AbortSignal) => Promise<number | undefined>;
  /** What a person reads when the server does not say. */
  readonly unknown: (assumed: number) => string;
  /** What is made of an answer: never more than the environment allows. */
  readonly accept: (tokens: number) => number;
}

/** A model whose window is a guess until its server was asked: once, by the first that needs to know. */
export function withAskedWindow(model: Model, { ask, unknown, accept }: Asking): Model {
  let contextWindow = model.contextWindow;
  let asked = false;
  const learn = async (signal: AbortSignal) => {
    asked = true;
    const tokens = await ask(signal);
    if (tokens !== undefined) contextWindow = accept(tokens);
    return tokens === undefined && !signal.aborted ? unknown(contextWindow) : undefined;
  };
  return {
    ...model,
    get contextWindow() {
      return contextWindow;
    },
    get learnWindow() {
      return asked ? undefined : learn;
    },
  };
}
