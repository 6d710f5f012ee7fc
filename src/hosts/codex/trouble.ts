import type { AccountTrouble, AgentWords } from '../host.ts';
import { objectIn } from '../jsonLines.ts';
import { failureIn } from './output.ts';

/** As 0.166.0 and 0.169.0 print it, the most specific first. */
const FAILURES: readonly (readonly [RegExp, string])[] = [
  [/hit your usage limit|\b429\b|rate limit/i, 'rate_limit'],
  [/quota exceeded|billing|\b402 Payment Required/i, 'billing_error'],
  [
    /\b401 Unauthorized|\b403 Forbidden|not logged in|log ?in again|access token|refresh token/i,
    'authentication_failed',
  ],
  [/high demand|at capacity|overloaded|\b503 Service/i, 'overloaded'],
  [/\b5\d\d [A-Z]|stream disconnected/, 'server_error'],
];

/** By the last event of its stream: no hook of Codex reports an error of the API. */
export function codexTrouble(_code: number, { tail }: AgentWords): AccountTrouble | null {
  const events = tail.split('\n').map((line) => objectIn(line.trim()));
  const failed = events.findLast((event) => event?.type === 'turn.failed');
  if (!failed) return null;
  const text = failureIn(failed);
  const error = FAILURES.find(([words]) => words.test(text))?.[1];
  return error === undefined ? null : { error, text };
}
