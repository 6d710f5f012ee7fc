import { formatTokens } from '../../../../system/formatTokens.ts';
import type { AttemptDetails } from '../../../wiring/store/openedStore.ts';

type JudgeDetails = NonNullable<AttemptDetails['judge']>;

const WORDS: Readonly<Record<JudgeDetails['verdict'], string>> = {
  ok: 'ok',
  rejected: 'rejected',
  none: 'no verdict',
};

/** `ok, by anthropic/claude-haiku-5-5 (12k tokens in, 80 out, $0.01): the tests cover it`. */
export function describeJudge({ verdict, reason, model, inputTokens, outputTokens, costUsd }: JudgeDetails): string {
  const cost = costUsd === undefined ? 'unknown cost' : `$${Number(costUsd.toFixed(4))}`;
  const by =
    model === undefined
      ? ''
      : `, by ${model} (${formatTokens(inputTokens)} tokens in, ${formatTokens(outputTokens)} out, ${cost})`;
  return `${WORDS[verdict]}${by}${reason === '' ? '' : `: ${reason}`}`;
}
