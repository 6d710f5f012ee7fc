import type { Model } from '../../models/types.ts';
import { UserError } from '../../system/userError.ts';
import { chooseModel } from './chooseModel.ts';

/** The session's model, or one that answers every question with why there is none: most hooks ask nobody. */
export const chooseModelIfAny: typeof chooseModel = (...facts) => {
  try {
    return chooseModel(...facts);
  } catch (error) {
    if (error instanceof UserError) return modelThatFails(error.message);
    throw error;
  }
};

function modelThatFails(sentence: string): Model {
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
