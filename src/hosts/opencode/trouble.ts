import { valueAt } from '../../schemas/jsonValue.ts';
import type { AccountTrouble, AgentWords } from '../host.ts';
import { objectIn } from '../jsonLines.ts';
import { isPrinted, knownTrouble } from '../printedFailure.ts';
import { failureIn } from './output.ts';

const BY_STATUS: readonly (readonly [RegExp, string])[] = [
  [/^40[13]$/, 'authentication_failed'],
  [/^402$/, 'billing_error'],
  [/^429$/, 'rate_limit'],
  [/^(?:503|529)$/, 'overloaded'],
  [/^5\d\d$/, 'server_error'],
];

/** By the last error of its stream; it retries most of them without end, which our plugin reports and ends. */
export function opencodeTrouble(_code: number, { tail, failure }: AgentWords): AccountTrouble | null {
  const events = tail.split('\n').map((line) => objectIn(line.trim()));
  const failed = events.findLast((event) => event?.type === 'error');
  const status = String(valueAt(failed, ['error', 'data', 'statusCode']) ?? '');
  const error = BY_STATUS.find(([pattern]) => pattern.test(status))?.[1];
  if (failed && error !== undefined) return { error, text: failureIn(failed) };
  return failure !== null && isPrinted(failure, tail) ? knownTrouble(failure) : null;
}
