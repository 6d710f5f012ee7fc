import { isObject, type JsonObject } from '../../schemas/jsonValue.ts';
import type { AccountTrouble, AgentWords } from '../host.ts';
import { fieldIn, lastEvent, readableForm } from '../streams/eventLines.ts';

export const dataOf = ({ data }: JsonObject): JsonObject => (isObject(data) ? data : {});

/** What its stream says to a reader: its messages, and why it failed. */
export const copilotText = readableForm((event) => {
  if (event.type === 'assistant.message') return String(dataOf(event).content ?? '');
  return event.type === 'session.error' ? `Copilot CLI failed: ${dataOf(event).message}` : null;
});

export const copilotSession: (line: string) => string | undefined = fieldIn('result', 'sessionId');

/** By its own word for an error, else by the status of the answer. */
const BY_TYPE: Readonly<Record<string, string>> = {
  rate_limit: 'rate_limit',
  quota: 'billing_error',
  authentication: 'authentication_failed',
  authorization: 'authentication_failed',
};

function errorOf(type: unknown, status: unknown): string | null {
  const named = typeof type === 'string' && Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined;
  if (named !== undefined) return named;
  if (status === 402) return 'billing_error';
  if (status === 503 || status === 529) return 'overloaded';
  return typeof status === 'number' && status >= 500 ? 'server_error' : null;
}

/** By the last error of its stream, after its own retries. */
export function copilotTrouble(_code: number, { tail, stderr }: AgentWords): AccountTrouble | null {
  const failed = lastEvent(tail, 'session.error');
  if (failed) {
    const { errorType, statusCode, message } = dataOf(failed);
    const error = errorOf(errorType, statusCode);
    return error === null ? null : { error, text: String(message) };
  }
  // without a login there is no session, and no stream
  const isLoggedOut = /No authentication information found|not logged in|copilot login/i.test(stderr);
  return isLoggedOut ? { error: 'authentication_failed', text: stderr.trim().slice(-400) } : null;
}
