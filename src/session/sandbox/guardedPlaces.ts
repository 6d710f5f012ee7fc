import { dirname, join, resolve } from 'node:path';
import { GUARDED_FILES, GUARDED_FOLDERS } from '../../permissions/protectedPaths.ts';
import type { Look } from './look.ts';

export interface GuardedPlaces {
  /** There, and read-only inside. */
  readonly readOnly: readonly string[];
  /** Not there, or a link: no mount can hold them, so they are looked at after each command. */
  readonly watched: readonly string[];
  /** Folders that are made ahead, so that there is something to hold: commands of ours would run what is put there. */
  readonly toMake: readonly string[];
  /** A repository's own folder that lies elsewhere: of a worktree. */
  readonly writable: readonly string[];
}

/** In a repository's folder: programs that git runs, and what names them. */
const IN_GIT = ['config', 'config.worktree', 'hooks', 'info/attributes'];
/** Where a worktree says which repository is its own. */
const IN_WORKTREE = ['commondir', 'gitdir', 'config.worktree'];
/** Would send git to another repository, with other programs. */
const GIT_REDIRECTS = ['commondir', 'config.worktree'];
const ALWAYS_WATCHED = ['.claude', '.mcp.json', 'stopgate.config.json'];
const MOST_SUBMODULES = 200;

/** What in an open folder decides what runs outside of the sandbox. `readText` is for git's small files. */
export function guardedPlaces(
  folder: string,
  look: Look,
  readText: (file: string) => string | undefined,
): GuardedPlaces {
  const names = [...GUARDED_FOLDERS, ...GUARDED_FILES, 'stopgate.config.json'].filter((name) => name !== '.git');
  const paths = [...names, '.github/workflows'].map((name) => join(folder, name));
  const git = gitPlaces(folder, look, readText);
  const isHeld = (path: string) => ['folder', 'file'].includes(look.kind(path));
  const toMake = [join(folder, '.claude'), ...git.hooks].filter((path) => look.kind(path) === 'absent');
  const watched = [...ALWAYS_WATCHED.map((name) => join(folder, name)), ...git.watched];
  return {
    readOnly: [...paths.filter(isHeld), ...git.readOnly.filter(isHeld), ...toMake],
    watched: watched.filter((path) => !isHeld(path) && !toMake.includes(path)),
    toMake,
    writable: git.writable,
  };
}

interface GitPlaces {
  readonly readOnly: readonly string[];
  readonly watched: readonly string[];
  readonly hooks: readonly string[];
  readonly writable: readonly string[];
}

function gitPlaces(folder: string, look: Look, readText: (file: string) => string | undefined): GitPlaces {
  const git = join(folder, '.git');
  const kind = look.kind(git);
  if (kind === 'folder') return { ...repository(git, look), writable: [] };
  if (kind === 'file') {
    const common = worktreeOf(git, look, readText);
    const outside = common === undefined ? NOTHING : repository(common, look);
    return { ...outside, readOnly: [git, ...outside.readOnly], writable: common === undefined ? [] : [common] };
  }
  // a first repository is everyday work; a second one inside another is a way to have git obey another configuration
  return { ...NOTHING, watched: kind === 'link' || isEnclosed(folder, look) ? [git] : [], writable: [] };
}

const NOTHING = { readOnly: [], watched: [], hooks: [] };

function repository(git: string, look: Look): Omit<GitPlaces, 'writable'> {
  const modules = submodules(join(git, 'modules'), look);
  const worktrees = look.names(join(git, 'worktrees')).map((name) => join(git, 'worktrees', name));
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
function submodules(folder: string, look: Look, found: string[] = []): readonly string[] {
  for (const name of look.names(folder)) {
    if (found.length >= MOST_SUBMODULES) break;
    const place = join(folder, name);
    if (look.kind(place) !== 'folder') continue;
    if (look.kind(join(place, 'HEAD')) !== 'file') submodules(place, look, found);
    else {
      found.push(place);
      submodules(join(place, 'modules'), look, found);
    }
  }
  return found;
}

/**
 * The repository of a worktree. Believed only when that repository names this very folder in turn: a `.git` file that came
 * with an archive can name any repository of the person's.
 */
function worktreeOf(gitFile: string, look: Look, readText: (file: string) => string | undefined): string | undefined {
  const named = /^gitdir: (.+)$/m.exec(readText(gitFile) ?? '')?.[1]?.trim();
  const own = named && look.real(resolve(dirname(gitFile), named));
  if (!own) return undefined;
  const back = readText(join(own, 'gitdir'))?.trim();
  if (!back || look.real(resolve(own, back)) !== look.real(gitFile)) return undefined;
  const common = readText(join(own, 'commondir'))?.trim();
  return common && look.real(resolve(own, common));
}

function isEnclosed(folder: string, look: Look): boolean {
  const parent = dirname(folder);
  if (parent === folder) return false;
  return look.kind(join(parent, '.git')) !== 'absent' || isEnclosed(parent, look);
}
