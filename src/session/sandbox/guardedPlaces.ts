import { dirname, join, resolve } from 'node:path';
import { GUARDED_FILES, GUARDED_FOLDERS } from '../../permissions/protectedPaths.ts';
import type { PathInspector } from './inspectPaths.ts';

export interface GuardedPlaces {
  /** There, and read-only inside. */
  readonly readOnly: readonly string[];
  /** Missing, or a link: no mount can hold them, so they are checked after each command. */
  readonly watched: readonly string[];
  /** Folders that are created ahead to be mounted: our own commands would run what is put there. */
  readonly toMake: readonly string[];
  /** The repository of a worktree, which lies elsewhere. */
  readonly writable: readonly string[];
}

/** In a repository's folder: programs that git runs, and what names them. */
const IN_GIT = ['config', 'config.worktree', 'hooks', 'info/attributes'];
/** Where a worktree names its repository. */
const IN_WORKTREE = ['commondir', 'gitdir', 'config.worktree'];
/** Would send git to another repository, with other programs. */
const GIT_REDIRECTS = ['commondir', 'config.worktree'];
const ALWAYS_WATCHED = ['.claude', '.mcp.json', 'stopgate.config.json'];
const MOST_SUBMODULES = 200;

/** What in an open folder decides what runs outside the sandbox. `readText` is for git's small files. */
export function guardedPlaces(
  folder: string,
  inspect: PathInspector,
  readText: (file: string) => string | undefined,
): GuardedPlaces {
  const names = [...GUARDED_FOLDERS, ...GUARDED_FILES, 'stopgate.config.json'].filter((name) => name !== '.git');
  const paths = [...names, '.github/workflows'].map((name) => join(folder, name));
  const git = gitPlaces(folder, inspect, readText);
  const isHeld = (path: string) => ['folder', 'file'].includes(inspect.kind(path));
  const toMake = [join(folder, '.claude'), ...git.hooks].filter((path) => inspect.kind(path) === 'absent');
  const watched = [...ALWAYS_WATCHED.map((name) => join(folder, name)), ...git.watched];
  return {
    readOnly: [...paths.filter(isHeld), ...git.readOnly.filter(isHeld), ...toMake],
    watched: watched.filter((path) => !isHeld(path) && !toMake.includes(path)),
    toMake,
    writable: git.writable,
  };
}

interface GitPlaces extends Omit<GuardedPlaces, 'toMake'> {
  readonly hooks: readonly string[];
}

function gitPlaces(folder: string, inspect: PathInspector, readText: (file: string) => string | undefined): GitPlaces {
  const git = join(folder, '.git');
  const kind = inspect.kind(git);
  if (kind === 'folder') return { ...repository(git, inspect), writable: [] };
  if (kind === 'file') {
    const common = worktreeOf(git, inspect, readText);
    const outside = common === undefined ? NOTHING : repository(common, inspect);
    return { ...outside, readOnly: [git, ...outside.readOnly], writable: common === undefined ? [] : [common] };
  }
  // a new repository is normal; one inside another would make git use another configuration
  return { ...NOTHING, watched: kind === 'link' || isEnclosed(folder, inspect) ? [git] : [], writable: [] };
}

const NOTHING = { readOnly: [], watched: [], hooks: [] };

function repository(git: string, inspect: PathInspector): Omit<GitPlaces, 'writable'> {
  const modules = submodules(join(git, 'modules'), inspect);
  const worktrees = inspect.names(join(git, 'worktrees')).map((name) => join(git, 'worktrees', name));
  return {
    readOnly: [
      ...[git, ...modules].flatMap((place) => IN_GIT.map((name) => join(place, name))),
      ...worktrees.flatMap((place) => IN_WORKTREE.map((name) => join(place, name))),
    ],
    watched: [git, ...modules].flatMap((place) => GIT_REDIRECTS.map((name) => join(place, name))),
    hooks: [join(git, 'hooks')],
  };
}

/** A submodule's name may have slashes, and it may have submodules itself. */
function submodules(folder: string, inspect: PathInspector, found: string[] = []): readonly string[] {
  for (const name of inspect.names(folder)) {
    if (found.length >= MOST_SUBMODULES) break;
    const place = join(folder, name);
    if (inspect.kind(place) !== 'folder') continue;
    if (inspect.kind(join(place, 'HEAD')) !== 'file') submodules(place, inspect, found);
    else {
      found.push(place);
      submodules(join(place, 'modules'), inspect, found);
    }
  }
  return found;
}

/** The repository of a worktree, if it names this folder too: a `.git` file from an archive can name any repository. */
function worktreeOf(
  gitFile: string,
  inspect: PathInspector,
  readText: (file: string) => string | undefined,
): string | undefined {
  const named = /^gitdir: (.+)$/m.exec(readText(gitFile) ?? '')?.[1]?.trim();
  const own = named && inspect.real(resolve(dirname(gitFile), named));
  if (!own) return undefined;
  const back = readText(join(own, 'gitdir'))?.trim();
  if (!back || inspect.real(resolve(own, back)) !== inspect.real(gitFile)) return undefined;
  const common = readText(join(own, 'commondir'))?.trim();
  return common && inspect.real(resolve(own, common));
}

function isEnclosed(folder: string, inspect: PathInspector): boolean {
  const parent = dirname(folder);
  if (parent === folder) return false;
  return inspect.kind(join(parent, '.git')) !== 'absent' || isEnclosed(parent, inspect);
}
