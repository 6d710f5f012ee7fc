import { connectionCause, plainWords } from './connectionErrors.ts';
import { redactSecrets } from './redactSecrets.ts';
import type { ModelErrorClass, ModelFailure } from './types.ts';

/** What is known about a request that went wrong, however it went wrong. */
export interface ModelErrorFacts {
  readonly status?: number;
  /** The provider's own word: `overloaded_error`, `insufficient_quota`. */
  readonly type?: string;
  readonly message: string;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly retryAfterMs?: number;
  /** A code such as ECONNREFUSED: no answer, or not a whole one, came back. */
  readonly connectionError?: string;
  /** The proxy that was asked instead of the server, when it is what could not be reached. */
  readonly proxy?: string;
  /** The environment variable that holds this provider's key, to be named in advice. */
  readonly keyVariable?: string;
  /** The environment variable that the server's address is from, when it is from one. */
  readonly urlVariable?: string;
  readonly details?: string;
  /** For HTTP dates in `retry-after`. */
  readonly now?: number;
}

interface Rule {
  readonly errorClass: ModelErrorClass;
  readonly fits: (facts: ModelErrorFacts) => boolean;
  readonly retryable: boolean | ((facts: ModelErrorFacts) => boolean);
  readonly promptTooLong?: true;
  /** What happened, and what to do next where that is known. */
  readonly says: (facts: ModelErrorFacts) => { readonly what: string; readonly next?: string };
}

const TOO_LONG =
  /prompt is too long|context[_ ]length[_ ]exceeded|maximum context length|context window|input is too long|request_too_large|exceeds? the (?:maximum|model'?s) (?:number of )?(?:input )?tokens?|input token count .* exceeds/i;
/** How servers of local models say it, some with status 500: llama.cpp, LM Studio, Groq, xAI. */
const TOO_LONG_LOCALLY =
  /exceed(?:s|_|ed)? ?the available context size|exceed_context_size|context size has been exceeded|context the overflows|context length of only|context overflow|input is too large to process|reduce the length of the messages|maximum prompt length/i;
const BILLING = /credit balance|insufficient_quota|exceeded your current quota|billing|payment required/i;

const text = (facts: ModelErrorFacts) => `${facts.type ?? ''} ${facts.message}`;
const status =
  (...wanted: number[]) =>
  (facts: ModelErrorFacts) =>
    wanted.includes(facts.status ?? 0);
const type = (facts: ModelErrorFacts, word: string) => facts.type === word;
const key = (facts: ModelErrorFacts) => (facts.keyVariable ? `check ${facts.keyVariable}` : 'check the API key');

const causeOf = ({ connectionError = '', proxy }: ModelErrorFacts) => connectionCause(connectionError, proxy);

/** Asked from top to bottom; the first that fits decides. Measured on Claude Code where it has an answer. */
const RULES: readonly Rule[] = [
  {
    errorClass: 'invalid_request',
    // bytes, not tokens: images count most. Compacting helps here too
    fits: status(413),
    retryable: false,
    promptTooLong: true,
    says: () => ({
      what: 'the request is too large for the provider',
      next: 'remove images or attachments, or compact the conversation',
    }),
  },
  {
    errorClass: 'invalid_request',
    fits: (facts) => (isClientError(facts) && TOO_LONG.test(text(facts))) || TOO_LONG_LOCALLY.test(text(facts)),
    retryable: false,
    promptTooLong: true,
    says: () => ({ what: 'the conversation is too long for the model' }),
  },
  {
    errorClass: 'billing_error',
    // A 429 for an empty account never ends by waiting.
    fits: (facts) => status(402)(facts) || (isClientError(facts) && BILLING.test(text(facts))),
    retryable: false,
    says: () => ({ what: 'the provider refused for a billing reason', next: 'check the account’s credit and plan' }),
  },
  {
    errorClass: 'server_error',
    fits: status(407),
    retryable: false,
    says: () => ({
      what: 'the proxy wants a user and a password',
      next: 'write them into HTTPS_PROXY or HTTP_PROXY: http://USER:PASSWORD@HOST:PORT',
    }),
  },
  {
    errorClass: 'authentication_failed',
    fits: (facts) => type(facts, 'key_helper_error'),
    retryable: false,
    says: () => ({ what: 'the apiKeyHelper of the settings gave no key', next: 'run its command by hand' }),
  },
  {
    errorClass: 'authentication_failed',
    fits: (facts) => status(401, 403)(facts) && isPage(facts),
    retryable: false,
    says: () => ({
      what: 'access was refused with a web page, not by a model’s server',
      next: 'check the base URL and whether a login page or a proxy is in between',
    }),
  },
  {
    errorClass: 'authentication_failed',
    fits: (facts) => status(401)(facts) || type(facts, 'authentication_error'),
    retryable: false,
    says: (facts) => ({ what: 'the provider did not accept the key', next: key(facts) }),
  },
  {
    errorClass: 'authentication_failed',
    fits: (facts) => status(403)(facts) || type(facts, 'permission_error'),
    retryable: false,
    says: (facts) => ({ what: 'the key has no permission for this', next: `${key(facts)} and what it may use` }),
  },
  {
    errorClass: 'model_not_found',
    fits: (facts) => status(404)(facts) && facts.type === undefined,
    retryable: false,
    says: () => ({
      what: 'the server has nothing at this address',
      next: 'check the base URL and the model’s name',
    }),
  },
  {
    errorClass: 'model_not_found',
    fits: (facts) => status(404)(facts) || type(facts, 'not_found_error'),
    retryable: false,
    says: () => ({ what: 'the provider does not know this model', next: 'check the model’s name and the base URL' }),
  },
  {
    errorClass: 'overloaded',
    fits: (facts) => status(529)(facts) || type(facts, 'overloaded_error'),
    retryable: true,
    says: () => ({ what: 'the provider is overloaded', next: 'try again later' }),
  },
  {
    errorClass: 'rate_limit',
    fits: (facts) => status(429)(facts) || type(facts, 'rate_limit_error'),
    retryable: true,
    says: () => ({ what: 'the provider’s rate limit was reached', next: 'wait, or use fewer requests at once' }),
  },
  {
    errorClass: 'server_error',
    fits: (facts) => facts.connectionError !== undefined,
    retryable: (facts) => causeOf(facts).retryable,
    says: (facts) => causeOf(facts),
  },
  {
    errorClass: 'server_error',
    // a status speaks louder than a type: gateways answer 400 with `api_error`
    fits: ({ status: code, ...facts }) => (code === undefined ? type(facts, 'api_error') : code >= 500),
    retryable: true,
    says: () => ({ what: 'the provider had an error of its own' }),
  },
  {
    errorClass: 'unknown',
    fits: status(408, 409),
    retryable: true,
    says: () => ({ what: 'the provider asked to try again' }),
  },
  {
    errorClass: 'unknown',
    fits: status(400, 422),
    retryable: false,
    says: () => ({ what: 'the provider rejected the request' }),
  },
];

const FALLBACK: Omit<Rule, 'fits'> = {
  errorClass: 'unknown',
  retryable: false,
  says: () => ({ what: 'the request to the model failed' }),
};

/** What a failure means for the turn: its class, whether to try again, and one sentence for a person. */
export function classifyModelError(facts: ModelErrorFacts): ModelFailure {
  const rule = RULES.find((candidate) => candidate.fits(facts)) ?? FALLBACK;
  const retryAfterMs = facts.retryAfterMs ?? retryAfterOf(facts);
  return {
    errorClass: rule.errorClass,
    message: sentence(rule.says(facts), facts),
    ...(facts.status === undefined ? {} : { status: facts.status }),
    retryable: isRetryable(rule, facts) && facts.headers?.['x-should-retry'] !== 'false',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(rule.promptTooLong ? { promptTooLong: true } : {}),
    ...(facts.details ? { details: redactSecrets(bounded(facts.details, 4_000)) } : {}),
  };
}

function isRetryable({ retryable }: Omit<Rule, 'fits'>, facts: ModelErrorFacts): boolean {
  return typeof retryable === 'boolean' ? retryable : retryable(facts);
}

/** Milliseconds a provider asks to wait: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date. */
function retryAfterOf({ headers, now }: ModelErrorFacts): number | undefined {
  const precise = Number.parseFloat(headers?.['retry-after-ms'] ?? '');
  if (precise >= 0) return precise;
  const raw = headers?.['retry-after'];
  if (raw === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(raw)) return Number.parseFloat(raw) * 1000;
  const at = Date.parse(raw);
  return Number.isNaN(at) || now === undefined ? undefined : Math.max(0, at - now);
}

function sentence(says: { what: string; next?: string }, facts: ModelErrorFacts): string {
  const said = bounded(redactSecrets(facts.message).replace(/\s+/g, ' ').trim().replace(/\.$/, ''), 300);
  const { connectionError: code, urlVariable = 'the base URL' } = facts;
  const source = code === undefined ? [facts.status, said].filter(Boolean).join(': ') : plainWords(code, said);
  const next = says.next?.replaceAll('the base URL', urlVariable);
  return `${says.what}${source ? ` (${source})` : ''}${next ? `; ${next}` : ''}`;
}

function isClientError({ status }: ModelErrorFacts): boolean {
  return status === undefined || (status >= 400 && status < 500);
}

const isPage = ({ details = '' }: ModelErrorFacts) => /^\s*<(?:!doctype|html)/i.test(details);

function bounded(words: string, length: number): string {
  return words.length <= length ? words : `${words.slice(0, length)}…`;
}
