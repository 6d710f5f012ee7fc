import { withFallbacks } from '../../models/fallback.ts';
import type { CostOf } from '../../models/prices.ts';
import { type Model, NO_USAGE } from '../../models/types.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import { asSentence } from '../../system/sentence.ts';
import { UserError } from '../../system/userError.ts';
import type { ModelResolver } from './modelResolver.ts';
import type { PromptFlags } from './promptFlags.ts';
import type { SessionModel } from './sessionHistory.ts';

export interface ModelName {
  readonly name: string;
  /** It is the resumed session's own. */
  readonly isSessions: boolean;
  /** What a person should know of the choice. */
  readonly notice?: string;
}

interface NameFacts {
  readonly settings: LoadedSettings;
  readonly models: ModelResolver;
  readonly session: SessionModel | undefined;
}

/**
 * Which model: the flag, the one that the resumed session was held with, the environment, the settings, else the default. A
 * conversation with a local model must not go to another provider because it was continued.
 */
export function modelName(
  { model: flag }: Pick<PromptFlags, 'model'>,
  { settings, models, session }: NameFacts,
): ModelName {
  const { env } = models;
  const configured = env.STOPGATE_MODEL ?? env.ANTHROPIC_MODEL ?? settings.merged.model;
  const otherwise = configured ?? 'default';
  if (flag !== undefined) return { name: flag, isSessions: false };
  if (session === undefined) return { name: otherwise, isSessions: false };
  if (session.type === 'written' && models.resolve(session.name).type === 'unknown') {
    const notice = `The transcript does not say where the model of this session (${session.name}) is; using ${otherwise}. --model chooses another.`;
    return { name: otherwise, isSessions: false, notice };
  }
  const { name } = session;
  if (configured === undefined || idOf(configured, models) === idOf(name, models)) return { name, isSessions: true };
  const notice = `Resumed with ${name}, the model of this session, and not with ${configured}; --model chooses another.`;
  return { name, isSessions: true, notice };
}

function idOf(name: string, models: ModelResolver): string {
  const resolved = models.resolve(name);
  return resolved.type === 'ok' ? resolved.model.id : name;
}

/** The model to ask; a sentence when it cannot be asked. */
export function chooseModel(
  flags: Pick<PromptFlags, 'maxBudgetUsd'>,
  { name, isSessions }: ModelName,
  { resolve }: ModelResolver,
  costOf: CostOf,
): Model {
  const resolved = resolve(name);
  if (resolved.type === 'unknown') {
    const { message } = resolved;
    throw new UserError(
      asSentence(
        isSessions ? `The model of this session cannot be used: ${message}; --model chooses another` : message,
      ),
    );
  }
  const { model } = resolved;
  if (flags.maxBudgetUsd !== undefined && costOf(model.id, NO_USAGE).type === 'unknown') {
    throw new UserError(
      `--max-budget-usd needs a price and none is known for ${model.id}; name one in a file and point STOPGATE_PRICES at it.`,
    );
  }
  return model;
}

/** The model with those of `--fallback-model` behind it. */
export function withStandIns(
  { fallbackModel = '' }: Pick<PromptFlags, 'fallbackModel'>,
  model: Model,
  choose: (name: string) => Model,
): Model {
  const names = fallbackModel.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  if (names.length === 0) return model;
  const others = names.map(choose);
  if (others.some(({ id }) => id === model.id))
    throw new UserError(`--fallback-model names ${model.id}, which is the model itself; name another one.`);
  return withFallbacks(model, others);
}
