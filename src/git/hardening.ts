/**
 * What a repository's own configuration could use to run a program, or to reach out, during our commands. Hostile
 * `.gitattributes` only choose among configured filters; but a `.git/config` may come out of an archive, or an agent
 * may have written it.
 */
const SETTINGS = [
  // programs
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.editor=true',
  'core.pager=cat',
  'core.alternateRefsCommand=true',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'log.showSignature=false',
  'diff.external=',
  'submodule.recurse=false',
  'diff.submodule=short',
  'status.submoduleSummary=false',
  // a mailmap can be a pipe
  'log.mailmap=false',
  'gc.auto=0',
  'maintenance.auto=false',
  // a whole bare repository can come along as ordinary files of a clone
  'safe.bareRepository=explicit',
  'protocol.ext.allow=never',
  // what our own index must not become: shared with the user's, or dependent on a cache beside it
  'core.untrackedCache=false',
  'core.splitIndex=false',
  // line ends that do not survive a round trip are no reason to lose a file
  'core.safecrlf=false',
  // paths come out, and go in, as ASCII: the bytes of a name that is no UTF-8 survive our strings
  'core.quotePath=true',
  'i18n.commitEncoding=UTF-8',
  'i18n.logOutputEncoding=UTF-8',
  // thousands of new files, one sync
  'core.fsyncMethod=batch',
  'advice.addEmbeddedRepo=false',
];

export const HARDENED: readonly string[] = ['--no-pager', ...SETTINGS.flatMap((setting) => ['-c', setting])];

/** Of git's own variables only what says where git and the user's configuration are, not which repository is meant. */
const KEPT = /^GIT_(EXEC_PATH|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)|CEILING_DIRECTORIES)$/;

/** All protocols but `ext`, which is a command line. */
const NETWORK = 'file:git:http:https:ssh';

export interface GitEnvironment {
  /** A private index instead of the repository's. */
  readonly indexFile?: string | undefined;
  readonly identity?: { readonly name: string; readonly email: string } | undefined;
  /** Of a commit that is written; now when not given. */
  readonly date?: string | undefined;
  /** A partial clone fetches what a checkout needs; nothing else here has a reason to. */
  readonly mayFetch?: boolean | undefined;
  /**
   * A git folder of our own for another worktree: neither the repository's configuration, index and exclude lists nor the
   * person's own are then read.
   */
  readonly apart?: ApartFolder | undefined;
  /** Added to the user's configuration, and stronger; names that `-c` could not carry (`=`) included. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

export interface ApartFolder {
  readonly gitDir: string;
  readonly workTree: string;
  /** Where objects are read and written, when that is not in `gitDir`. */
  readonly objects?: string | undefined;
}

/** `GIT_DIR` and the like of whoever started us (a git hook, say) would have every command act on another repository. */
export function gitEnvironment(
  env: Readonly<Record<string, string>>,
  { indexFile, identity, date, mayFetch = false, settings = {}, apart }: GitEnvironment,
): Record<string, string> {
  const isKept = (name: string) => (apart ? name === 'GIT_EXEC_PATH' : KEPT.test(name));
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || isKept(name));
  return {
    ...withSettings(Object.fromEntries(kept), settings),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    // set but empty: no proxy program, whatever the configuration names
    GIT_PROXY_COMMAND: '',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: mayFetch ? NETWORK : 'none',
    ...(mayFetch ? {} : { GIT_NO_LAZY_FETCH: '1' }),
    ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
    ...(apart && apartVariables(apart)),
    ...(identity && identityVariables(identity)),
    ...(date !== undefined && { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }),
  };
}

function apartVariables({ gitDir, workTree, objects }: ApartFolder): Record<string, string> {
  const none = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_ATTR_NOSYSTEM: '1' };
  const place = { GIT_DIR: gitDir, GIT_WORK_TREE: workTree, XDG_CONFIG_HOME: '/dev/null' };
  return { ...place, ...none, ...(objects !== undefined && { GIT_OBJECT_DIRECTORY: objects }) };
}

/** Settings for every git that is started with this environment, behind those that are there. */
export function withSettings(
  env: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const first = Number.parseInt(env.GIT_CONFIG_COUNT ?? '0', 10) || 0;
  const added = Object.entries(settings);
  if (added.length === 0) return env;
  const variables = added.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key] as const,
    [`GIT_CONFIG_VALUE_${first + index}`, value] as const,
  ]);
  return { ...env, ...Object.fromEntries(variables), GIT_CONFIG_COUNT: String(first + added.length) };
}

function identityVariables({ name, email }: { readonly name: string; readonly email: string }): Record<string, string> {
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}
