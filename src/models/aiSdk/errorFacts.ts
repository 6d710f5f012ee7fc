import { jsonValue } from '../../schemas/jsonValue.ts';
import type { ModelErrorFacts } from '../errors.ts';

/**
 * The facts in a thrown or streamed SDK error, read by shape. `instanceof` would need the SDK, which is loaded lazily,
 * and errors can come from another package version.
 */
export function errorFacts(error: unknown, now: number): ModelErrorFacts {
  const { statusCode, responseHeaders, responseBody, message, type } = record(error);
  const body = typeof responseBody === 'string' ? responseBody : undefined;
  const own = providerError(error, body);
  const { code: connectionError, proxy, words } = connectionFacts(error);
  // The error of a broken stream has the status of its head: 200 does not explain the failure.
  const status = typeof statusCode === 'number' && statusCode >= 400 ? statusCode : undefined;
  const ownType = text(type) ?? own.type;
  return {
    message: own.message ?? words ?? text(message) ?? body ?? String(error),
    ...(status === undefined ? {} : { status }),
    ...(ownType === undefined ? {} : { type: ownType }),
    ...(responseHeaders === undefined ? {} : { headers: stringsOf(responseHeaders) }),
    ...(connectionError === undefined || status !== undefined ? {} : { connectionError }),
    ...(proxy === undefined || status !== undefined ? {} : { proxy }),
    ...(body ? { details: body } : {}),
    now,
  };
}

/** `{error: {type | code | status, message}}`, the shape that providers share, parsed or as text. */
function providerError(error: unknown, body: string | undefined): { type?: string; message?: string } {
  const { data } = record(error);
  const inner = record(record(data ?? jsonValue(body ?? '')).error);
  const type = text(inner.type) === 'invalid_request_error' ? (text(inner.code) ?? text(inner.type)) : text(inner.type);
  const word = type ?? text(inner.code) ?? text(inner.status);
  const message = text(inner.message);
  return { ...(word ? { type: word } : {}), ...(message ? { message } : {}) };
}

/** The Anthropic provider throws this when a stream does not begin with an event it can read. */
const UNREADABLE_START = 'Expected a normalized Anthropic stream error';

interface ConnectionFacts {
  readonly code?: string;
  readonly proxy?: string;
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
    if (name === 'UnexpectedAnswer') return { code: `answer:${kind}`, words: text(message) ?? '' };
    if (typeof code === 'string' && CODE.test(code))
      return { code, words: text(message) ?? '', ...(typeof proxy === 'string' ? { proxy } : {}) };
    if (name === 'AI_JSONParseError' || message === UNREADABLE_START) return { code: 'unreadable', words: '' };
    if (name === 'TypeError' && (message === 'terminated' || message === 'fetch failed') && !cause)
      return { code: 'closed' };
    if (typeof message === 'string' && message.startsWith('Cannot connect to API') && !cause)
      return { code: 'unreachable' };
    current = cause;
  }
  return {};
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function stringsOf(headers: unknown): Record<string, string> {
  if (typeof headers !== 'object' || headers === null) return {};
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [],
    ),
  );
}
