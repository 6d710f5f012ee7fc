import type { Model, ModelFailure, ModelFallback } from './types.ts';

/** Why another model is asked, in the words that Claude Code's stream has for it. */
export type FallbackTrigger = 'overloaded' | 'server_error' | 'model_not_found' | 'last_resort';

/** Overload often passes within seconds, so the first model is asked this often. */
const OVERLOADED_ATTEMPTS = 3;

/**
 * Whether a failed request is made again with another model; `attempt` counts from 1, `givesUp` when this one is not asked
 * again. Measured: an overload is waited for twice, a server error and a missing model are not.
 */
export function decideFallback(facts: {
  readonly failure: ModelFailure;
  readonly attempt: number;
  readonly givesUp: boolean;
}): FallbackTrigger | undefined {
  const { failure, attempt, givesUp } = facts;
  // a shorter conversation helps, another model hardly
  if (failure.promptTooLong) return undefined;
  const { errorClass } = failure;
  if (errorClass === 'server_error' || errorClass === 'model_not_found') return errorClass;
  if (errorClass === 'overloaded' && (givesUp || attempt >= OVERLOADED_ATTEMPTS)) return 'overloaded';
  return givesUp ? 'last_resort' : undefined;
}

/** The first model, and in its place the next one whenever `fallback.next` is called. */
export function withFallbacks(first: Model, others: readonly Model[]): Model {
  const models = [first, ...others];
  let at = 0;
  const current = () => models[at] ?? first;
  const fallback: ModelFallback = {
    next: () => {
      const to = models[at + 1];
      if (!to) return undefined;
      const from = current().id;
      at++;
      return { from, to: to.id };
    },
    isUsed: () => at > 0,
    reset: () => {
      at = 0;
    },
  };
  const facts = ['id', 'contextWindow', 'learnWindow', 'maxOutputTokens', 'keySource'] as const;
  const model = { stream: (request) => current().stream(request), fallback } as Model;
  // what is asked of the model is always about the one that answers now
  for (const fact of facts) Object.defineProperty(model, fact, { enumerable: true, get: () => current()[fact] });
  return model;
}
