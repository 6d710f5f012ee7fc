import { isObject, type JsonObject, jsonValue } from '../../schemas/jsonValue.ts';
import type { ModelErrorFacts } from '../errors.ts';

/**
 * The facts in a thrown or streamed SDK error, read by shape. `instanceof` would need the SDK, which is loaded lazily,
 * and errors can come from another package version.
 */
export function errorFacts(error: unknown, now: number): ModelErrorFacts {
  const { statusCode, responseHeaders, responseBody, message, type } = record(error);
  const body = typeof responseBody === 'string' ? responseBody : undefined;
  const own = providerError(error, body);
  // The error of a broken stream has the status of its head: 200 does not explain the failure.
  const status = typeof statusCode === 'number' && statusCode >= 400 ? statusCode : undefined;
  const { code, proxy, words } = connectionFacts(error);
  return {
    message: own.message ?? words ?? text(message) ?? body ?? String(error),
    status,
    type: text(type) ?? own.type,
    headers: stringsOf(record(responseHeaders)),
    ...(status === undefined ? { connectionError: code, proxy } : {}),
    details: body,
    now,
  };
}

/** `{error: {type | code | status, message}}`, the shape that providers share, parsed or as text. */
function providerError(error: unknown, body = '') {
  const { error: inner } = record(record(error).data ?? jsonValue(body));
  const { type, code, status, message } = record(inner);
  const words = type === 'invalid_request_error' ? [code, type] : [type, code, status];
  return { type: words.map(text).find(Boolean), message: text(message) };
}

/** The Anthropic provider throws this when a stream does not begin with an event it can read. */
const UNREADABLE_START = 'Expected a normalized Anthropic stream error';

interface ConnectionFacts {
  readonly code?: string;
  readonly proxy?: string | undefined;
  /** The network's message, without what libraries put around it. */
  readonly words?: string;
}

/** A code of the operating system, TLS or OpenSSL. */
const CODE =
  /^(?:E[A-Z_]{3,}|UND_ERR_\w+|ERR_(?:TLS|SSL|PROXY)_\w+|ERR_INVALID_URL|[A-Z]+(?:_[A-Z]+){2,}|CERT_\w+|INVALID_CA)$/;

/** The network failure among an error's causes, or our own code for one without a code. */
function connectionFacts(error: unknown): ConnectionFacts {
  let current: unknown = error;
  for (let depth = 0; depth < 6 && current; depth++) {
    const { code, cause, name, message, kind, proxy } = record(current);
    const words = text(message) ?? '';
    if (name === 'UnexpectedAnswer') return { code: `answer:${kind}`, words };
    if (typeof code === 'string' && CODE.test(code)) return { code, words, proxy: text(proxy) };
    if (name === 'AI_JSONParseError' || message === UNREADABLE_START) return { code: 'unreadable', words: '' };
    if (name === 'TypeError' && (message === 'terminated' || message === 'fetch failed') && !cause)
      return { code: 'closed' };
    if (words.startsWith('Cannot connect to API') && !cause) return { code: 'unreachable' };
    current = cause;
  }
  return {};
}

const record = (value: unknown): JsonObject => (isObject(value) ? value : {});

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function stringsOf(headers: JsonObject): Record<string, string> {
  const strings = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(strings.map(([name, value]) => [name.toLowerCase(), value]));
}
