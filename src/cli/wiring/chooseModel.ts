import { withFallbacks } from '../../models/fallback.ts';
import type { CostOf } from '../../models/prices.ts';
import { type Model, NO_USAGE } from '../../models/types.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import { asSentence } from '../../system/sentence.ts';
import { UserError } from '../../system/userError.ts';
import type { ModelResolver } from './modelResolver.ts';
import type { PromptFlags } from './promptFlags.ts';
import type { SessionModel } from './sessionHistory.ts';

interface ModelName {
  readonly name: string;
  /** It is the model of the resumed session. */
  readonly isFromSession: boolean;
  /** For the user, about the choice. */
  readonly notice?: string;
}

interface NameFacts {
  readonly settings: LoadedSettings;
  readonly models: ModelResolver;
  readonly session: SessionModel | undefined;
}

/**
 * In this order: the flag, the model of the resumed session, the environment, the settings, the default. A conversation with
 * a local model must not move to another provider because it was continued.
 */
export function modelName(flag: string | undefined, { settings, models, session }: NameFacts): ModelName {
  const { env } = models;
  const configured = env.STOPGATE_MODEL ?? env.ANTHROPIC_MODEL ?? settings.merged.model;
  const otherwise = configured ?? 'default';
  if (flag !== undefined) return { name: flag, isFromSession: false };
  if (session === undefined) return { name: otherwise, isFromSession: false };
  if (session.type === 'written' && models.resolve(session.name).type === 'unknown') {
    const notice = `The transcript does not contain the provider of this session's model (${session.name}); using ${otherwise}. Use --model to choose another.`;
    return { name: otherwise, isFromSession: false, notice };
  }
  const { name } = session;
  if (configured === undefined || idOf(configured, models) === idOf(name, models)) return { name, isFromSession: true };
  const notice = `Resumed with ${name}, the model of this session, instead of ${configured}; use --model to choose another.`;
  return { name, isFromSession: true, notice };
}

function idOf(name: string, models: ModelResolver): string {
  const resolved = models.resolve(name);
  return resolved.type === 'ok' ? resolved.model.id : name;
}

export function chooseModel(
  flags: Pick<PromptFlags, 'maxBudgetUsd'>,
  { name, isFromSession }: ModelName,
  { resolve }: ModelResolver,
  costOf: CostOf,
): Model {
  const resolved = resolve(name);
  if (resolved.type === 'unknown') {
    const { message } = resolved;
    const ofSession = `The model of this session cannot be used: ${message}; use --model to choose another`;
    throw new UserError(asSentence(isFromSession ? ofSession : message));
  }
  const { model } = resolved;
  if (flags.maxBudgetUsd !== undefined && costOf(model.id, NO_USAGE).type === 'unknown') {
    throw new UserError(
      `--max-budget-usd needs a price, and none is known for ${model.id}; put one in a file and set STOPGATE_PRICES to its path.`,
    );
  }
  return model;
}

/** The model, followed by those of `--fallback-model`. */
export function withFallbackModels(
  { fallbackModel = '' }: Pick<PromptFlags, 'fallbackModel'>,
  model: Model,
  choose: (name: string) => Model,
): Model {
  const names = fallbackModel.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  if (names.length === 0) return model;
  const others = names.map(choose);
  if (others.some(({ id }) => id === model.id))
    throw new UserError(`--fallback-model names ${model.id}, which is the model itself; use another one.`);
  return withFallbacks(model, others);
}

/** The session's model, or one whose every request fails with the reason: most hooks need no model. */
export const chooseModelIfAny: typeof chooseModel = (...facts) => {
  try {
    return chooseModel(...facts);
  } catch (error) {
    if (error instanceof UserError) return failingModel(error.message);
    throw error;
  }
};

function failingModel(sentence: string): Model {
  const message = sentence.replace(/\.$/, '');
  return {
    id: 'none',
    contextWindow: 200_000,
    maxOutputTokens: 8_000,
    stream: async function* () {
      yield { type: 'failed', failure: { errorClass: 'authentication_failed', message, retryable: false } };
    },
  };
}
