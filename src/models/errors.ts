import { redactSecrets } from '../system/redactSecrets.ts';
import { connectionCause, plainMessage } from './connectionErrors.ts';
import type { ModelErrorClass, ModelFailure } from './types.ts';

/** What is known about a failed request. */
export interface ModelErrorFacts {
  readonly status?: number | undefined;
  /** The provider's own word: `overloaded_error`, `insufficient_quota`. */
  readonly type?: string | undefined;
  readonly message: string;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly retryAfterMs?: number | undefined;
  /** A code such as ECONNREFUSED, when no complete answer arrived. */
  readonly connectionError?: string | undefined;
  /** The proxy, when it is what could not be reached. */
  readonly proxy?: string | undefined;
  /** The environment variable of this provider's key, for advice. */
  readonly keyVariable?: string | undefined;
  /** The environment variable of the server's address, for advice. */
  readonly urlVariable?: string | undefined;
  readonly details?: string | undefined;
  /** For HTTP dates in `retry-after`. */
  readonly now?: number;
}

interface Rule {
  readonly errorClass: ModelErrorClass;
  readonly fits: (facts: ModelErrorFacts) => boolean;
  /** False by default. */
  readonly retryable?: boolean;
  readonly promptTooLong?: true;
  /** What happened; empty when the connection's failure explains it. */
  readonly what: string;
  /** What the user can do. `the base URL` and `the API key` become the variables that hold them. */
  readonly next?: string;
}

const TOO_LONG =
  /prompt is too long|context[_ ]length[_ ]exceeded|maximum context length|context window|input is too long|request_too_large|exceeds? the (?:maximum|model'?s) (?:number of )?(?:input )?tokens?|input token count .* exceeds/i;
/** The messages of llama.cpp, LM Studio, Groq and xAI, some with status 500. */
const TOO_LONG_LOCALLY =
  /exceed(?:s|_|ed)? ?the available context size|exceed_context_size|context size has been exceeded|context the overflows|context length of only|context overflow|input is too large to process|reduce the length of the messages|maximum prompt length/i;
const BILLING = /credit balance|insufficient_quota|exceeded your current quota|billing|payment required/i;

const text = (facts: ModelErrorFacts) => `${facts.type ?? ''} ${facts.message}`;
const status =
  (...wanted: number[]) =>
  (facts: ModelErrorFacts) =>
    wanted.includes(facts.status ?? 0);
const type = (facts: ModelErrorFacts, word: string) => facts.type === word;

/** The first match decides. Measured on Claude Code where it has a rule. */
const RULES: readonly Rule[] = [
  {
    errorClass: 'invalid_request',
    // bytes, not tokens: mostly images. Compacting helps too
    fits: status(413),
    promptTooLong: true,
    what: 'the request is too large for the provider',
    next: 'remove images or attachments, or compact the conversation',
  },
  {
    errorClass: 'invalid_request',
    fits: (facts) => (isClientError(facts) && TOO_LONG.test(text(facts))) || TOO_LONG_LOCALLY.test(text(facts)),
    promptTooLong: true,
    what: 'the conversation is too long for the model',
  },
  {
    errorClass: 'billing_error',
    // waiting does not help against a 429 for an empty account
    fits: (facts) => status(402)(facts) || (isClientError(facts) && BILLING.test(text(facts))),
    what: 'the provider refused for a billing reason',
    next: 'check the account’s credit and plan',
  },
  {
    errorClass: 'server_error',
    fits: status(407),
    what: 'the proxy requires a user and a password',
    next: 'write them into HTTPS_PROXY or HTTP_PROXY: http://USER:PASSWORD@HOST:PORT',
  },
  {
    errorClass: 'authentication_failed',
    fits: (facts) => type(facts, 'key_helper_error'),
    what: 'the apiKeyHelper of the settings printed no key',
    next: 'run its command by hand',
  },
  {
    errorClass: 'authentication_failed',
    fits: (facts) => status(401, 403)(facts) && isPage(facts),
    what: 'access was refused with a web page, not by a model’s server',
    next: 'check the base URL and whether a login page or a proxy is in between',
  },
  {
    errorClass: 'authentication_failed',
    fits: (facts) => status(401)(facts) || type(facts, 'authentication_error'),
    what: 'the provider did not accept the key',
    next: 'check the API key',
  },
  {
    errorClass: 'authentication_failed',
    fits: (facts) => status(403)(facts) || type(facts, 'permission_error'),
    what: 'the key has no permission for this',
    next: 'check the API key and what it may use',
  },
  {
    errorClass: 'model_not_found',
    fits: (facts) => status(404)(facts) && facts.type === undefined,
    what: 'the server has nothing at this address',
    next: 'check the base URL and the model’s name',
  },
  {
    errorClass: 'model_not_found',
    fits: (facts) => status(404)(facts) || type(facts, 'not_found_error'),
    what: 'the provider does not know this model',
    next: 'check the model’s name and the base URL',
  },
  {
    errorClass: 'overloaded',
    fits: (facts) => status(529)(facts) || type(facts, 'overloaded_error'),
    retryable: true,
    what: 'the provider is overloaded',
    next: 'try again later',
  },
  {
    errorClass: 'rate_limit',
    fits: (facts) => status(429)(facts) || type(facts, 'rate_limit_error'),
    retryable: true,
    what: 'the provider’s rate limit was reached',
    next: 'wait, or run fewer requests in parallel',
  },
  {
    errorClass: 'server_error',
    fits: (facts) => facts.connectionError !== undefined,
    what: '',
  },
  {
    errorClass: 'server_error',
    // the status counts more than the type: gateways answer 400 with `api_error`
    fits: ({ status: code, ...facts }) => (code === undefined ? type(facts, 'api_error') : code >= 500),
    retryable: true,
    what: 'the provider had an internal error',
  },
  {
    errorClass: 'unknown',
    fits: status(408, 409),
    retryable: true,
    what: 'the provider requested a retry',
  },
  {
    errorClass: 'unknown',
    fits: status(400, 422),
    what: 'the provider rejected the request',
  },
];

const FALLBACK = { errorClass: 'unknown', what: 'the request to the model failed' } as const;

/** What a failure means for the turn: its class, whether to retry, and one sentence for the user. */
export function classifyModelError(facts: ModelErrorFacts): ModelFailure {
  const rule: Omit<Rule, 'fits'> = RULES.find((candidate) => candidate.fits(facts)) ?? FALLBACK;
  const { connectionError = '', proxy } = facts;
  const { what, next = '', retryable = false } = rule.what === '' ? connectionCause(connectionError, proxy) : rule;
  const retryAfterMs = facts.retryAfterMs ?? retryAfterOf(facts);
  return {
    errorClass: rule.errorClass,
    message: sentence(what, next, facts),
    ...(facts.status === undefined ? {} : { status: facts.status }),
    retryable: retryable && facts.headers?.['x-should-retry'] !== 'false',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(rule.promptTooLong ? { promptTooLong: true } : {}),
    ...(facts.details ? { details: redactSecrets(bounded(facts.details, 4_000)) } : {}),
  };
}

/** The wait that the provider requires: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date. */
function retryAfterOf({ headers, now }: ModelErrorFacts): number | undefined {
  const precise = Number.parseFloat(headers?.['retry-after-ms'] ?? '');
  if (precise >= 0) return precise;
  const raw = headers?.['retry-after'];
  if (raw === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(raw)) return Number.parseFloat(raw) * 1000;
  const at = Date.parse(raw);
  return Number.isNaN(at) || now === undefined ? undefined : Math.max(0, at - now);
}

function sentence(what: string, next: string, facts: ModelErrorFacts): string {
  const message = bounded(redactSecrets(facts.message).replace(/\s+/g, ' ').trim().replace(/\.$/, ''), 300);
  const { connectionError: code, urlVariable = 'the base URL', keyVariable = 'the API key' } = facts;
  const source = code === undefined ? [facts.status, message].filter(Boolean).join(': ') : plainMessage(code, message);
  const advice = next.replaceAll('the base URL', urlVariable).replaceAll('the API key', keyVariable);
  return `${what}${source ? ` (${source})` : ''}${advice ? `; ${advice}` : ''}`;
}

function isClientError({ status }: ModelErrorFacts): boolean {
  return status === undefined || (status >= 400 && status < 500);
}

const isPage = ({ details = '' }: ModelErrorFacts) => /^\s*<(?:!doctype|html)/i.test(details);

function bounded(words: string, length: number): string {
  return words.length <= length ? words : `${words.slice(0, length)}…`;
}
