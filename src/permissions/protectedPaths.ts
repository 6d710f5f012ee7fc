import { basename, relative, sep } from 'node:path';
import { isInside } from './matchPath.ts';

/**
 * Files that decide what runs: an agent that may edit its own hooks, or git's, can let itself stop, or run anything.
 * Accepting edits in general does not accept these; a rule that names them does.
 */
export const GUARDED_FOLDERS: ReadonlySet<string> = new Set(
  '.git .claude .stopgate .husky .vscode .idea .devcontainer'.split(' '),
);
export const GUARDED_FILES: ReadonlySet<string> = new Set([
  ...['.mcp.json', '.gitconfig', '.gitmodules', '.gitattributes', '.pre-commit-config.yaml', '.npmrc', '.ripgreprc'],
  ...[
    '.bashrc',
    '.bash_profile',
    '.bash_login',
    '.bash_aliases',
    '.profile',
    '.zshrc',
    '.zshenv',
    '.zprofile',
    '.envrc',
  ],
]);

/** Only names below the open folder count: a project may itself live in a worktree under `.claude`. */
export function isProtectedPath(path: string, directories: readonly string[]): boolean {
  const base = directories.find((directory) => isInside(path, [directory])) ?? sep;
  const names = relative(base, path).toLowerCase().split(sep);
  const inWorkflows = names.some((name, at) => name === '.github' && names[at + 1] === 'workflows');
  return (
    inWorkflows || names.some((name) => GUARDED_FOLDERS.has(name)) || GUARDED_FILES.has(basename(path).toLowerCase())
  );
}
