import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { isInside } from './matchPath.ts';
import { namesIn } from './shell/sameRow.ts';

/**
 * Files that decide what runs: an agent that may edit its own hooks, or git's, can let itself stop, or run anything.
 * Accepting edits in general does not accept these; a rule that names them does.
 */
export const GUARDED_FOLDERS = namesIn('.git .claude .stopgate .husky .vscode .idea .devcontainer');
export const GATE_FILE = 'stopgate.config.json';
export const GUARDED_FILES = namesIn(
  `${GATE_FILE} .mcp.json .gitconfig .gitmodules .gitattributes .pre-commit-config.yaml .npmrc .ripgreprc ` +
    '.bashrc .bash_profile .bash_login .bash_aliases .profile .zshrc .zshenv .zprofile .envrc',
);

/** Only names below the open folder count: a project may itself live in a worktree under `.claude`. */
function namesBelow(path: string, directories: readonly string[]): readonly string[] {
  const base = directories.find((directory) => isInside(path, [directory])) ?? sep;
  return relative(base, path).toLowerCase().split(sep);
}

export function isProtectedPath(path: string, directories: readonly string[]): boolean {
  const names = namesBelow(path, directories);
  const inWorkflows = names.some((name, at) => name === '.github' && names[at + 1] === 'workflows');
  return (
    inWorkflows || names.some((name) => GUARDED_FOLDERS.has(name)) || GUARDED_FILES.has(basename(path).toLowerCase())
  );
}

/** What decides when an agent may stop. Even an agent whose permissions are bypassed does not change it. */
export function isGatePath(path: string, directories: readonly string[], gateFiles: readonly string[] = []): boolean {
  const own = ownWorktrees(directories, gateFiles);
  if (basename(path).toLowerCase() === GATE_FILE || namesBelow(path, [...directories, ...own]).includes('.stopgate'))
    return true;
  return gateFiles.some((one) => {
    if (isAbsolute(one)) return isInside(path, [one]) && !isInside(path, own);
    const name = `/${one}`.toLowerCase();
    return one.endsWith(sep) ? path.toLowerCase().includes(name) : path.toLowerCase().endsWith(name);
  });
}

/**
 * A worktree that Stopgate made lies below its home, and is the project of the agent that works in it, also when that has changed to a
 * folder inside. Only there: a host reports the folder to which its agent has changed, which can be any.
 */
export function ownWorktrees(directories: readonly string[], homes: readonly string[]): readonly string[] {
  const roots = homes.filter((home) => isAbsolute(home)).map((home) => join(home, 'worktrees'));
  return directories.flatMap((open) =>
    roots.flatMap((worktrees) => {
      const [name = ''] = relative(worktrees, open).split(sep);
      return name === '' || name === '..' ? [] : [join(worktrees, name)];
    }),
  );
}
