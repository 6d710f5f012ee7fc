const PATTERN = /^([a-z]+|\*):\/\/([^/?#]*)(.*)$/is;
const AUTHORITY = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s;

/**
 * Whether a URL matches a pattern of `allowedHttpHookUrls`. Scheme, host, port and path are compared separately: as one
 * text, `https://good.example*` would also match `https://good.example.evil.com` and `https://good.example@evil.com`.
 *
 * `*` is any characters in a path, a part of one name in a host, and at the start of a host (`*.example.com`) any number
 * of names. A pattern that ends with `*` before any path matches every path.
 */
export function urlMatches(url: string, pattern: string): boolean {
  if (!URL.canParse(url)) return false;
  const target = new URL(url);
  // a user name before the host only misleads
  if (target.username !== '' || target.password !== '') return false;
  if (pattern === '*') return true;
  const [, scheme = '', authority = '', rest = ''] = PATTERN.exec(pattern) ?? [];
  if (scheme === '' || authority.includes('@') || authority.includes('\\')) return false;
  const opens = rest === '' && authority.endsWith('*');
  const [, host = '', port] = AUTHORITY.exec(authority) ?? [];
  return (
    (scheme === '*' || `${scheme.toLowerCase()}:` === target.protocol) &&
    hostMatches(target.hostname, opens && port === undefined && host !== '*' ? host.slice(0, -1) : host) &&
    portMatches(target, opens && port !== '*' ? port?.slice(0, -1) : port) &&
    (opens || pathMatches(target, rest))
  );
}

function hostMatches(hostname: string, pattern: string): boolean {
  if (pattern === '*') return true;
  if (!pattern.includes('*')) return canonicalHost(pattern) === hostname;
  const names = hostname.split('.');
  const isAnyDepth = pattern.startsWith('*.');
  const wanted = (isAnyDepth ? pattern.slice(2) : pattern).toLowerCase().split('.');
  const compared = isAnyDepth ? names.slice(-wanted.length) : names;
  if (compared.length !== wanted.length || (isAnyDepth && names.length <= wanted.length)) return false;
  return compared.every((name, at) => globMatches(name, wanted[at] ?? ''));
}

/** As in a request: lower case, `127.1` written out, other scripts in ASCII. */
function canonicalHost(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
}

const DEFAULT_PORTS = new Map([
  ['http:', '80'],
  ['https:', '443'],
]);

function portMatches({ protocol, port }: URL, pattern: string | undefined): boolean {
  if (pattern === '*') return true;
  const usual = DEFAULT_PORTS.get(protocol) ?? '';
  return (port || usual) === (pattern || usual);
}

function pathMatches({ pathname, search }: URL, pattern: string): boolean {
  // a server may decode `..` and leave the folder that the pattern names
  if (/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(decoded(pathname))) return false;
  const wanted = pattern.startsWith('/') ? pattern : `/${pattern}`;
  return globMatches(`${pathname}${search}`, wanted);
}

function decoded(path: string): string {
  let text = path;
  // twice: some servers do
  for (let times = 0; times < 2; times++) {
    text = text.replaceAll(/%(2e|2f|5c|25)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
  return text;
}

/** Part by part: as one regular expression, several stars would take exponential time. */
function globMatches(text: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
