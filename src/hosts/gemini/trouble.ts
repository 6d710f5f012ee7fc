import { isObject, jsonValue } from '../../schemas/jsonValue.ts';
import type { AccountTrouble, AgentWords } from '../host.ts';

/** Its exit code is the status of the API's answer, of which a process can keep the last byte. */
const statusByte = (status: number) => status % 256;

const ERRORS: ReadonlyMap<number, string> = new Map([
  [statusByte(429), 'rate_limit'],
  [statusByte(401), 'authentication_failed'],
  [statusByte(403), 'authentication_failed'],
  [statusByte(500), 'server_error'],
  [statusByte(502), 'server_error'],
  [statusByte(503), 'overloaded'],
  [statusByte(504), 'server_error'],
  [statusByte(529), 'overloaded'],
]);

/** Of its own: no way to log in is set up. */
const NO_LOGIN = 41;
const BAD_REQUEST = statusByte(400);

/** The exit code alone does not decide: a command of the agent cannot set it, but a signal could look like one. */
export function geminiTrouble(code: number, { tail, stderr }: AgentWords): AccountTrouble | null {
  const text = printedError(tail) ?? '';
  if (code === NO_LOGIN) return { error: 'authentication_failed', text: text || stderr.trim().slice(-400) };
  if (text === '') return null;
  if (code === BAD_REQUEST && /API.?KEY.?INVALID|API key not valid|API key expired/i.test(text))
    return { error: 'authentication_failed', text };
  const error = ERRORS.get(code);
  return error === undefined ? null : { error, text };
}

/** What its stream, or its JSON, ends with; null when it reports no error of the API. */
function printedError(tail: string): string | null {
  for (const line of tail.split('\n').toReversed()) {
    const value = line.startsWith('{') ? jsonValue(line) : undefined;
    const error = isObject(value) && (value.type === 'result' || value.type === undefined) ? value.error : undefined;
    if (isObject(error) && typeof error.message === 'string') return error.message;
  }
  return /\[API Error: [^\]]*\]/.exec(tail)?.[0] ?? null;
}
