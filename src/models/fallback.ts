import type { Model, ModelFailure, ModelFallback } from './types.ts';

/** Why another model is used, in the words of Claude Code's stream. */
export type FallbackTrigger = 'overloaded' | 'server_error' | 'model_not_found' | 'last_resort';

export interface FallbackFacts {
  readonly failure: ModelFailure;
  readonly attempt: number;
  readonly givesUp: boolean;
}

/** Overload often passes within seconds, so the first model gets this many attempts. */
const OVERLOADED_ATTEMPTS = 3;

/**
 * Whether to repeat a failed request with another model. `attempt` counts from 1; `givesUp` when this model is not tried
 * again. Measured on Claude Code: it waits for an overload twice, not for a server error or a missing model.
 */
export function decideFallback({ failure, attempt, givesUp }: FallbackFacts): FallbackTrigger | undefined {
  // needs a shorter conversation, not another model
  if (failure.promptTooLong) return undefined;
  const { errorClass } = failure;
  if (errorClass === 'server_error' || errorClass === 'model_not_found') return errorClass;
  if (errorClass === 'overloaded' && (givesUp || attempt >= OVERLOADED_ATTEMPTS)) return 'overloaded';
  return givesUp ? 'last_resort' : undefined;
}

/** The first model, replaced by the next one at each call of `fallback.next`. */
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
  // always the facts of the model in use
  for (const fact of facts) Object.defineProperty(model, fact, { enumerable: true, get: () => current()[fact] });
  return model;
}
