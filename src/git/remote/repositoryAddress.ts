import path from 'node:path';

/** Where the code of a task is. */
export type RepositoryAddress =
  | Remote
  /** A folder of one machine, without a remote. */
  | { readonly type: 'folder'; readonly path: string }
  | { readonly type: 'refused'; readonly reason: string };

export interface Remote {
  readonly type: 'remote';
  /** Without a password, and over HTTP without a user, which may be a token. */
  readonly url: string;
  /** What git may use to reach it, as in `GIT_ALLOW_PROTOCOL`. */
  readonly protocols: string;
  /** A user or a password was left out of `url`. */
  readonly hadSecret: boolean;
}

/** One address may lead to another of these by the user's own `url.….insteadOf`; none of them runs a command or reads a local file. */
const NETWORK = 'https:http:ssh:git';

const SCHEMES: Readonly<Record<string, string>> = {
  https: NETWORK,
  http: NETWORK,
  ssh: NETWORK,
  'git+ssh': NETWORK,
  'ssh+git': NETWORK,
  git: NETWORK,
  // only where the address itself is one
  file: 'file',
};

const refused = (reason: string): RepositoryAddress => ({ type: 'refused', reason });

/** Reads a URL or a path; a relative path starts at `folder`. */
export function readAddress(text: string, folder: string): RepositoryAddress {
  if (text === '') return refused('The address of a repository is empty.');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  if (/[\x00-\x1f\x7f]/.test(text)) return refused('The address of a repository has control characters.');
  if (text.startsWith('-')) return refused(`The address of a repository cannot start with a dash: ${text}`);
  const [, helper] = /^([\w+.-]+)::/.exec(text) ?? [];
  if (helper !== undefined) return notAllowed(helper);
  const [, scheme] = /^([\w+.-]+):\/\//.exec(text) ?? [];
  if (scheme !== undefined) return readUrl(text, scheme.toLowerCase());
  // host:path, as scp writes it; a colon after a slash is part of a path
  if (/^[^/:]+:/.test(text)) return { type: 'remote', url: text, protocols: NETWORK, hadSecret: false };
  return { type: 'folder', path: path.resolve(folder, text) };
}

const notAllowed = (scheme: string) =>
  refused(`A repository cannot be reached by ${scheme}:, which is not allowed; use https, ssh, git, file or a path.`);

function readUrl(text: string, scheme: string): RepositoryAddress {
  const protocols = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined;
  if (protocols === undefined) return notAllowed(scheme);
  const rest = text.slice(scheme.length + '://'.length);
  const [authority = ''] = rest.split(/[/?#]/, 1);
  const at = authority.lastIndexOf('@');
  const user = at === -1 ? '' : authority.slice(0, at);
  const name = scheme.startsWith('http') ? '' : (user.split(':', 1)[0] ?? '');
  const url = `${scheme}://${name === '' ? '' : `${name}@`}${rest.slice(at + 1)}`;
  if (scheme === 'file' && !/^(?:localhost)?\/./.test(rest)) return refused(`${url} names no absolute path.`);
  return { type: 'remote', url, protocols, hadSecret: user !== name };
}

/** The address of a repository on this machine that others on this machine may push to. */
export function fileRemote(absolute: string): Remote {
  return { type: 'remote', url: `file://${absolute}`, protocols: 'file', hadSecret: false };
}

/** Whether two URLs mean the same repository, as far as their texts show. */
export const isSameUrl = (one: string, other: string): boolean => plainUrl(one) === plainUrl(other);

const plainUrl = (url: string) =>
  url
    .replace(/^([\w+.-]+:\/\/)([^/]*)/, (_, scheme: string, authority: string) => scheme + authority.toLowerCase())
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');

/** A text of git, without users and passwords of the addresses in it. */
export const withoutUsers = (text: string): string => text.replaceAll(/(?<=\w:\/\/)[^\s/@]*@/g, '');
