/** Why no usable answer came: what happened, what to do, and whether a retry can help. */
export interface ConnectionCause {
  readonly what: string;
  readonly next: string;
  readonly retryable: boolean;
}

const TLS =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:VERIFY|GET_ISSUER)|EPROTO$|HOSTNAME_MISMATCH$|INVALID_CA$)/;

interface Cause extends Omit<ConnectionCause, 'retryable'> {
  readonly fits: RegExp;
  readonly retryable?: false;
}

/** The first match decides. */
const CAUSES: readonly Cause[] = [
  {
    fits: /^answer:page$/,
    what: 'the server answered with a web page instead of a reply',
    next: 'check the base URL and whether a login page or a proxy is in between',
    retryable: false,
  },
  {
    fits: /^answer:empty$/,
    what: 'the server sent an empty answer',
    next: 'check the base URL',
  },
  {
    fits: /^(?:answer:unreadable|unreadable)$/,
    what: 'the server answered with something that is not a reply',
    next: 'check the base URL and which protocol the server speaks',
  },
  {
    fits: /^ERR_INVALID_URL$/,
    what: 'the base URL is not a URL',
    next: 'check the base URL',
    retryable: false,
  },
  {
    fits: /^ENOTFOUND$/,
    what: 'the server’s name does not exist',
    next: 'check the base URL for typos, and the network',
  },
  {
    fits: /^EAI_AGAIN$/,
    what: 'the server’s name could not be looked up',
    next: 'check the network and its name server',
  },
  {
    fits: /^ECONNREFUSED$/,
    what: 'no server is listening at that address',
    next: 'check the base URL and whether the server is running',
  },
  {
    fits: /^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
    what: 'the server did not answer in time',
    next: 'check the network and the base URL',
  },
  {
    fits: TLS,
    what: 'could not establish a secure connection to the server',
    next: 'check the base URL (http or https) and the certificate (NODE_EXTRA_CA_CERTS adds an authority)',
    retryable: false,
  },
  {
    fits: /^(?:ECONNRESET|EPIPE|closed|UND_ERR_SOCKET)$/,
    what: 'the server closed the connection',
    next: 'try again later',
  },
  {
    fits: /^ERR_PROXY_/,
    what: 'the proxy refused the connection',
    next: 'check HTTPS_PROXY and NO_PROXY',
  },
];

const ANY = { what: 'the connection to the server failed', next: 'check the network and the base URL' };

/** The cause that a code stands for: the operating system's, TLS's or our own. */
export function connectionCause(code: string, proxy: string | undefined): ConnectionCause {
  const cause = { retryable: true, ...(CAUSES.find(({ fits }) => fits.test(code)) ?? ANY) };
  if (proxy === undefined) return cause;
  const variables = 'HTTPS_PROXY, HTTP_PROXY and NO_PROXY';
  return { what: `the proxy ${proxy} could not be reached`, next: `check ${variables}`, retryable: cause.retryable };
}

/** The network's message, without what libraries and OpenSSL put around it. */
export function plainMessage(code: string, message: string): string {
  const ssl = /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1];
  const plain = (ssl ?? message).replace(/; if the root CA is installed locally.*$/, '').trim();
  if (code.startsWith('answer:') || code === 'unreadable') return plain;
  if (plain.includes(code)) return plain;
  return plain === '' ? code : `${code}: ${plain}`;
}
