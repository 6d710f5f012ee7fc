import { isObject, type JsonObject } from '../../schemas/jsonValue.ts';
import type { AccountTrouble, AgentWords } from '../host.ts';
import { fieldIn, lastEvent, readableForm } from '../streams/eventLines.ts';

/** What `codex exec --json` says to a reader: its messages, and why it failed. */
export const codexText = readableForm((event) => {
  const item = isObject(event.item) ? event.item : {};
  if (event.type === 'item.completed' && item.type === 'agent_message') return String(item.text ?? '');
  return event.type === 'turn.failed' ? `Codex failed: ${failureIn(event)}` : null;
});

const failureIn = ({ error }: JsonObject): string =>
  String((isObject(error) ? error.message : error) ?? 'no reason given');

/** The session that a line names. */
export const codexThread: (line: string) => string | undefined = fieldIn('thread.started', 'thread_id');

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
  const failed = lastEvent(tail, 'turn.failed');
  if (!failed) return null;
  const text = failureIn(failed);
  const error = FAILURES.find(([words]) => words.test(text))?.[1];
  return error === undefined ? null : { error, text };
}
