import { expect, it } from 'vitest';
import type { FoundWorkTree } from '../../../git/workTree.ts';
import { whyNoWorktrees } from './whyNoWorktrees.ts';

const repository: FoundWorkTree = {
  type: 'workTree',
  topLevel: '/work',
  gitDir: '/work/.git',
  head: 'c',
  branch: 'main',
};
const empty: FoundWorkTree = { ...repository, head: undefined };
const none: FoundWorkTree = { type: 'notARepository', reason: '/home is not in a git repository.' };

const OUTSIDE =
  '--worktrees needs a git repository: /home is not in a git repository. Leave it out here: tasks with a remote repository get worktrees of a clone in any case.';

it.each([
  ['worktrees in a repository', true, true, repository, null],
  ['worktrees outside of one', true, false, none, OUTSIDE],
  ['removed worktrees outside of one', true, true, none, OUTSIDE],
  ['worktrees of no commit', true, false, empty, /needs a commit to start from: the repository \/work has none yet/],
  ['removing what is not there', false, true, repository, '--remove-worktrees needs --worktrees; give both.'],
  ['removing those of clones', false, true, none, null],
  ['nothing of it', false, false, empty, null],
] as const)('%s', (_name, worktrees, removeWorktrees, found, expected) => {
  const why = whyNoWorktrees({ worktrees, removeWorktrees }, found);
  if (expected instanceof RegExp) expect(why).toMatch(expected);
  else expect(why).toBe(expected);
});
