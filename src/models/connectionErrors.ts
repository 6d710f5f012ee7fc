const TLS =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:VERIFY|GET_ISSUER)|EPROTO$|HOSTNAME_MISMATCH$|INVALID_CA$)/;

/** A code, what happened, what to do, and `final` where a retry cannot help. The first match decides. */
const CAUSES: readonly (readonly [fits: RegExp, what: string, next: string, final?: 'final'])[] = [
  [
    /^answer:page$/,
    'the server answered with a web page instead of a reply',
    'check the base URL and whether a login page or a proxy is in between',
    'final',
  ],
  [/^answer:empty$/, 'the server sent an empty answer', 'check the base URL'],
  [
    /^(?:answer:unreadable|unreadable)$/,
    'the server answered with something that is not a reply',
    'check the base URL and which protocol the server speaks',
  ],
  [/^ERR_INVALID_URL$/, 'the base URL is not a URL', 'check the base URL', 'final'],
  [/^ENOTFOUND$/, 'the server’s name does not exist', 'check the base URL for typos, and the network'],
  [/^EAI_AGAIN$/, 'the server’s name could not be looked up', 'check the network and its name server'],
  [/^ECONNREFUSED$/, 'no server is listening at that address', 'check the base URL and whether the server is running'],
  [
    /^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
    'the server did not answer in time',
    'check the network and the base URL',
  ],
  [
    TLS,
    'could not establish a secure connection to the server',
    'check the base URL (http or https) and the certificate (NODE_EXTRA_CA_CERTS adds an authority)',
    'final',
  ],
  [/^(?:ECONNRESET|EPIPE|closed|UND_ERR_SOCKET)$/, 'the server closed the connection', 'try again later'],
  [/^ERR_PROXY_/, 'the proxy refused the connection', 'check HTTPS_PROXY and NO_PROXY'],
];

const ANY = [/./, 'the connection to the server failed', 'check the network and the base URL'] as const;

/** The cause that a code stands for: the operating system's, TLS's or our own. */
export function connectionCause(code: string, proxy: string | undefined) {
  const [, what, next, final] = CAUSES.find(([fits]) => fits.test(code)) ?? ANY;
  const retryable = final === undefined;
  if (proxy === undefined) return { what, next, retryable };
  const variables = 'HTTPS_PROXY, HTTP_PROXY and NO_PROXY';
  return { what: `the proxy ${proxy} could not be reached`, next: `check ${variables}`, retryable };
}

/** The network's message, without what libraries and OpenSSL put around it. */
export function plainMessage(code: string, message: string): string {
  const ssl = /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1];
  const plain = (ssl ?? message).replace(/; if the root CA is installed locally.*$/, '').trim();
  if (code.startsWith('answer:') || code === 'unreadable') return plain;
  if (plain.includes(code)) return plain;
  return plain === '' ? code : `${code}: ${plain}`;
}
