import type { CostOf } from '../../models/prices.ts';
import { type Model, NO_USAGE } from '../../models/types.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import { asSentence } from '../../system/sentence.ts';
import type { PromptFlags } from '../promptFlags.ts';
import { UserError } from '../userError.ts';
import type { ModelResolver } from './modelResolver.ts';

/** The model to ask: the flag, the environment, the settings, else the default; a sentence when it cannot be asked. */
export function chooseModel(
  flags: Pick<PromptFlags, 'model' | 'maxBudgetUsd'>,
  settings: LoadedSettings,
  { env, resolve }: ModelResolver,
  costOf: CostOf,
): Model {
  const name = flags.model ?? env.STOPGATE_MODEL ?? env.ANTHROPIC_MODEL ?? settings.merged.model ?? 'default';
  const resolved = resolve(name);
  if (resolved.type === 'unknown') throw new UserError(asSentence(resolved.message));
  const { model } = resolved;
  if (flags.maxBudgetUsd !== undefined && costOf(model.id, NO_USAGE).type === 'unknown') {
    throw new UserError(
      `--max-budget-usd needs a price and none is known for ${model.id}; name one in a file and point STOPGATE_PRICES at it.`,
    );
  }
  return model;
}
