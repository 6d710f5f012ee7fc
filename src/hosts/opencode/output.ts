import { isObject, type JsonObject, valueAt } from '../../schemas/jsonValue.ts';
import type { AccountTrouble, AgentWords } from '../host.ts';
import { addedSpend } from '../streams/addedSpend.ts';
import { lastEvent, readableForm } from '../streams/eventLines.ts';
import { isPrinted, knownTrouble } from '../streams/printedFailure.ts';
import { countOf } from '../streams/streamSpend.ts';

/** What `opencode run --format json` says to a reader: its texts, and why it failed. */
export const opencodeText = readableForm((event) => {
  if (event.type === 'text') return String(valueAt(event, ['part', 'text']) ?? '');
  return event.type === 'error' ? `opencode failed: ${failureIn(event)}` : null;
});

function failureIn({ error }: JsonObject): string {
  const message = valueAt(error, ['data', 'message']);
  return String(message ?? (isObject(error) ? error.name : error) ?? 'no reason given');
}

/** Every line names it. */
export const opencodeSession = (line: string): string | undefined => /"sessionID":"([^"]+)"/.exec(line)?.[1];

/** One step is one request. */
export const opencodeSpend = addedSpend('"step_finish"', ({ type, part }) => {
  if (type !== 'step_finish') return null;
  const tokens = valueAt(part, ['tokens']);
  const { output, reasoning } = isObject(tokens) ? tokens : {};
  return { outputTokens: countOf(output) + countOf(reasoning), usd: countOf(valueAt(part, ['cost'])) };
});

const BY_STATUS: readonly (readonly [RegExp, string])[] = [
  [/^40[13]$/, 'authentication_failed'],
  [/^402$/, 'billing_error'],
  [/^429$/, 'rate_limit'],
  [/^(?:503|529)$/, 'overloaded'],
  [/^5\d\d$/, 'server_error'],
];

/** By the last error of its stream; it retries most of them without end, which our plugin reports and ends. */
export function opencodeTrouble(_code: number, { tail, failure }: AgentWords): AccountTrouble | null {
  const failed = lastEvent(tail, 'error');
  const status = String(valueAt(failed, ['error', 'data', 'statusCode']) ?? '');
  const error = BY_STATUS.find(([pattern]) => pattern.test(status))?.[1];
  if (failed && error !== undefined) return { error, text: failureIn(failed) };
  return failure !== null && isPrinted(failure, tail) ? knownTrouble(failure) : null;
}
