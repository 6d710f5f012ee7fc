import { appendFileSync, readFileSync } from 'node:fs';
import type { SpendLedger } from '../models/ledger.ts';
import type { PromptEnd } from '../query/prompt/submitPrompt.ts';
import { isObject, jsonValue } from '../schemas/jsonValue.ts';
import { attempt } from '../system/attempt.ts';
import type { Environment } from '../system/environment.ts';
import { SPEND_FILE } from '../system/marks.ts';

/** One line per request, so that a kill damages at most the last one. */
interface SpendRecord {
  readonly outputTokens: number;
  /** Null when a request had no known price. */
  readonly usd: number | null;
}

/** Which limit ended the session. */
export type SpentLimit = 'usd' | 'tokens';

/** Writes what a session has spent into the file of its launcher; undefined without a launcher. */
export function spendRecorder({ [SPEND_FILE]: file }: Environment): ((ledger: SpendLedger) => void) | undefined {
  if (!file) return undefined;
  return ({ total: { usage, usd, unpricedRequests } }) => {
    const record: SpendRecord = { outputTokens: usage.outputTokens, usd: unpricedRequests > 0 ? null : usd };
    append(file, record);
  };
}

const LIMITS: { readonly [Reason in PromptEnd['reason']]?: SpentLimit } = {
  budget_exhausted: 'usd',
  tokens_exhausted: 'tokens',
};

/** Records the limit, so that the launcher does not report a failure. */
export function noteLimit({ [SPEND_FILE]: file }: Environment, { reason }: PromptEnd): void {
  const limit = LIMITS[reason];
  if (file && limit) append(file, { limit });
}

/** A full disk must not end the agent; its launcher then reports unknown spending. */
const append = (file: string, record: object): void =>
  attempt(() => appendFileSync(file, `${JSON.stringify(record)}\n`, { mode: 0o600 }), undefined);

/** The last values an agent wrote; null when it never reached a model. */
export function readSpendFile(file: string) {
  let spend: SpendRecord | null = null;
  let limit: SpentLimit | null = null;
  for (const line of linesOf(file)) {
    const value = jsonValue(line);
    const { outputTokens, usd, limit: ended } = isObject(value) ? value : {};
    if (typeof outputTokens === 'number') spend = { outputTokens, usd: typeof usd === 'number' ? usd : null };
    if (ended === 'usd' || ended === 'tokens') limit = ended;
  }
  return { spend, limit };
}

const linesOf = (file: string): readonly string[] => attempt(() => readFileSync(file, 'utf8').split('\n'), []);
