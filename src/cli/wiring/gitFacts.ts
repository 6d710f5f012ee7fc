import { worktreeOf } from '../../git/findPipe.ts';
import { openGit } from '../../git/git.ts';
import type { World } from '../../system/world.ts';

const MAX_CHANGED_LINES = 40;
/** Limits the output of git that is kept. */
const MAX_LINES = 5_000;

export interface GitFacts {
  readonly isRepository: boolean;
  readonly branch: string;
  readonly status: string;
}

const OUTSIDE: GitFacts = { isRepository: false, branch: '', status: '' };

/** The state of the repository when the session starts, bounded; takes at most two seconds. Empty outside a repository. */
export async function gitFacts(world: World): Promise<GitFacts> {
  if (worktreeOf(world.cwd) === undefined) return OUTSIDE;
  const [status, log = ''] = await Promise.all([
    git(world, ['status', '--short', '--branch', '--no-renames', '--ignore-submodules=dirty']),
    // unlike `log`, it runs no program that the repository names, so the configuration need not be read first
    git(world, ['rev-list', '--oneline', '--max-count=5', 'HEAD']),
  ]);
  if (status === undefined) return OUTSIDE;
  const [branch = '', ...changed] = status.trimEnd().split('\n');
  const shown = changed.slice(0, MAX_CHANGED_LINES);
  const more = changed.length > shown.length ? [`… and ${changed.length - shown.length} more`] : [];
  const parts = [
    `as of the start of the session (it is not updated)\nBranch: ${branch.replace(/^## /, '')}`,
    shown.length === 0 ? 'No uncommitted changes.' : ['Changed:', ...shown, ...more].join('\n'),
    log.trim() ? `Last commits:\n${log.trimEnd()}` : 'No commits yet.',
  ];
  return { isRepository: true, branch: branchName(branch), status: parts.join('\n') };
}

/** `## main...origin/main [ahead 1]`, `## No commits yet on main`, `## HEAD (no branch)`. */
export function branchName(line: string): string {
  const shown = line.replace(/^## /, '').replace(/^(?:No commits yet|Initial commit) on /, '');
  return shown.split(/\.\.\.| /, 1)[0] ?? '';
}

async function git(world: World, args: readonly string[]): Promise<string | undefined> {
  const lines: string[] = [];
  const onLine = (line: string) => lines.length < MAX_LINES && lines.push(line);
  const end = await openGit(world).run({ folder: world.cwd, args, timeoutMs: 2_000, onLine });
  return end.type === 'done' ? lines.join('\n') : undefined;
}
