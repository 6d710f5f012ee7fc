import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { failureOf, type Git, readLines } from '../../git/git.ts';
import { exists, findWorkTree, operationUnderWay } from '../../git/workTree.ts';
import { whyItStays } from '../../git/worktrees.ts';

/** Folders and files that tools make again; whatever else git ignores may be all there is of it, such as `.env`. */
const MADE_AGAIN = new Set([
  ...['node_modules', 'dist', 'build', 'out', 'target', 'coverage', '__pycache__', 'venv', '.venv', '.tox'],
  ...['.cache', '.pytest_cache', '.mypy_cache', '.ruff_cache', '.gradle', '.next', '.nuxt', '.turbo', '.vite'],
  ...['.parcel-cache', '.eslintcache', '.DS_Store'],
]);

const isMadeAgain = (name: string) =>
  name.split('/').some((part) => MADE_AGAIN.has(part) || /\.(pyc|tsbuildinfo)$/.test(part));

/** Why a worktree cannot be removed without a loss; null when git has proved that there is none. */
export async function whyWorktreeStays(
  git: Git,
  { worktree, branch, unmerged }: { readonly worktree: string; readonly branch: string; readonly unmerged: boolean },
): Promise<string | null> {
  const entry = await lstat(worktree).catch(() => undefined);
  if (entry?.isDirectory() !== true) return 'it is not a folder of its own';
  const found = await findWorkTree(git, worktree);
  if (found.type !== 'workTree') return `git could not read it: ${inSentence(found.reason)}`;
  if (found.topLevel !== (await realpath(worktree))) return 'it is not a worktree of its own';
  if (found.branch !== branch) return `it is not on ${branch} any more`;
  const operation = await operationUnderWay(found);
  if (operation !== undefined) return `${operation} is under way in it`;
  if (await exists(path.join(found.gitDir, 'locked'))) return 'it is locked (git worktree lock)';
  const reason = await whyItStays(git, found, worktree);
  return reason === undefined ? whyNotClean(git, worktree, unmerged) : inSentence(reason);
}

const inSentence = (reason: string) => reason.replace(/\.$/, '');

async function whyNotClean(git: Git, worktree: string, unmerged: boolean): Promise<string | null> {
  const args = ['status', '--porcelain', '--untracked-files=all', '--ignored=matching', '--ignore-submodules=none'];
  let isChanged = false;
  let precious: string | undefined;
  try {
    await readLines(git, { folder: worktree, args }, (line) => {
      const name = line.slice(3).replace(/^"|"$/g, '');
      if (!line.startsWith('!! ')) isChanged ||= line !== '';
      else if (!isMadeAgain(name)) precious ??= name;
      return undefined;
    });
  } catch (error) {
    return `git could not tell whether it has changes: ${inSentence(failureOf(error).reason)}`;
  }
  // no snapshot has these, so --unmerged would lose them
  if (precious !== undefined)
    return `git ignores ${precious} in it, which nothing else has; git worktree remove removes it`;
  if (!isChanged || unmerged) return null;
  return 'it has changes that are not committed (--unmerged keeps them in refs/stopgate/wip and removes it)';
}
