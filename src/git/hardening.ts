export type Settings = Readonly<Record<string, string>>;

/**
 * Settings with which a repository's own configuration could run a program or use the network: a `.git/config` may come
 * from an archive, or an agent may have written it. For every git that only reads, ours or a command's.
 */
export const READ_ONLY_SETTINGS: Settings = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'log.showSignature': 'false',
  'submodule.recurse': 'false',
  'diff.submodule': 'short',
  'status.submoduleSummary': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  // a clone can contain a bare repository as ordinary files
  'safe.bareRepository': 'explicit',
};

/** The same for our own commands, and what keeps their output and our index apart from the user's settings. */
const OWN_SETTINGS: Settings = {
  ...READ_ONLY_SETTINGS,
  'core.editor': 'true',
  'core.pager': 'cat',
  'core.alternateRefsCommand': 'true',
  'commit.gpgSign': 'false',
  'tag.gpgSign': 'false',
  'diff.external': '',
  // a mailmap can be a pipe
  'log.mailmap': 'false',
  'protocol.ext.allow': 'never',
  // our own index must not share data with the user's, or depend on a cache
  'core.untrackedCache': 'false',
  'core.splitIndex': 'false',
  // keep files whose line endings do not survive a round trip
  'core.safecrlf': 'false',
  // paths as ASCII, so that names that are not UTF-8 survive our strings
  'core.quotePath': 'true',
  'i18n.commitEncoding': 'UTF-8',
  'i18n.logOutputEncoding': 'UTF-8',
  // thousands of new files, one sync
  'core.fsyncMethod': 'batch',
  'advice.addEmbeddedRepo': 'false',
};

/** Git believes a commit graph, and an agent can write one in which commits have other parents. */
export const TRUE_PARENTS: Settings = { 'core.commitGraph': 'false' };

export const HARDENED: readonly string[] = [
  '--no-pager',
  ...Object.entries(OWN_SETTINGS).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
];

/** No prompt, no lock, no network. */
export const SHUT_VARIABLES: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  // set but empty: no proxy program, whatever the configuration names
  GIT_PROXY_COMMAND: '',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  // a replaced commit would show other content than its name stands for
  GIT_NO_REPLACE_OBJECTS: '1',
  // nor has a commit other parents than it names: what is on no branch would count as merged
  GIT_GRAFT_FILE: '/dev/null',
};

/** All protocols except `ext`, which is a command line. */
const FETCHING = { GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh', GIT_NO_LAZY_FETCH: '0' };

/** Git's variables for the location of git and of the user's configuration, not those that select a repository. */
const KEPT = /^GIT_(EXEC_PATH|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)|CEILING_DIRECTORIES)$/;

export interface GitEnvironment {
  /** A private index instead of the repository's. */
  readonly indexFile?: string | undefined;
  readonly identity?: { readonly name: string; readonly email: string } | undefined;
  /** Of a commit; default: now. */
  readonly date?: string | undefined;
  /** A partial clone fetches what a checkout needs; no other command fetches. */
  readonly mayFetch?: boolean | undefined;
  /**
   * A git folder of our own for another worktree: git then reads neither the repository's configuration, index and exclude
   * lists nor the user's.
   */
  readonly apart?: ApartFolder | undefined;
  /** For a command that reaches a remote; see `remote/networkGit.ts`. */
  readonly network?: NetworkAccess | undefined;
  /** These override the user's configuration; unlike with `-c`, names may contain `=`. */
  readonly settings?: Settings | undefined;
}

interface NetworkAccess {
  /** A git folder of our own, in place of the repository's. */
  readonly gitDir: string;
  /** As in `GIT_ALLOW_PROTOCOL`. */
  readonly protocols: string;
  /** The user's own, if configured. */
  readonly sshCommand?: string;
}

interface ApartFolder {
  readonly gitDir: string;
  readonly workTree: string;
  /** Where objects are read and written, when that is not in `gitDir`. */
  readonly objects?: string | undefined;
}

/** Drops `GIT_DIR` and the like, which a calling git hook sets and which would select another repository. */
export function gitEnvironment(
  env: Readonly<Record<string, string>>,
  { indexFile, identity, date, mayFetch = false, settings = {}, apart, network }: GitEnvironment,
): Record<string, string> {
  const isKept = (name: string) => (apart ? name === 'GIT_EXEC_PATH' : KEPT.test(name));
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || isKept(name));
  return {
    ...withSettings(Object.fromEntries(kept), settings),
    LC_ALL: 'C',
    ...SHUT_VARIABLES,
    ...(mayFetch && FETCHING),
    ...(indexFile !== undefined && { GIT_INDEX_FILE: indexFile }),
    ...(apart && apartVariables(apart)),
    ...(network && networkVariables(network, env)),
    ...(identity && { GIT_AUTHOR_NAME: identity.name, GIT_AUTHOR_EMAIL: identity.email }),
    ...(identity && { GIT_COMMITTER_NAME: identity.name, GIT_COMMITTER_EMAIL: identity.email }),
    ...(date !== undefined && { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }),
  };
}

function apartVariables({ gitDir, workTree, objects }: ApartFolder): Record<string, string> {
  const none = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_ATTR_NOSYSTEM: '1' };
  const place = { GIT_DIR: gitDir, GIT_WORK_TREE: workTree, XDG_CONFIG_HOME: '/dev/null' };
  return { ...place, ...none, ...(objects !== undefined && { GIT_OBJECT_DIRECTORY: objects }) };
}

/** Nothing may wait for a person. Programs that are not OpenSSH have other options, so they get none. */
function networkVariables(
  { gitDir, protocols, sshCommand }: NetworkAccess,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const ssh = env.GIT_SSH_COMMAND || sshCommand || env.GIT_SSH || 'ssh';
  const isOpenSsh = /^(?:\S*\/)?ssh(?:\s|$)/.test(ssh);
  return {
    GIT_DIR: gitDir,
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_SSH_COMMAND: isOpenSsh ? `${ssh} -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=15` : ssh,
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
  };
}

/** Adds settings for every git that is started with this environment. */
export function withSettings(env: Readonly<Record<string, string>>, settings: Settings): typeof env {
  const added = Object.entries(settings);
  if (added.length === 0) return env;
  const first = Number.parseInt(env.GIT_CONFIG_COUNT ?? '0', 10) || 0;
  const variables = added.map(([key, value], index) => ({
    [`GIT_CONFIG_KEY_${first + index}`]: key,
    [`GIT_CONFIG_VALUE_${first + index}`]: value,
  }));
  return Object.assign({}, env, ...variables, { GIT_CONFIG_COUNT: String(first + added.length) });
}
