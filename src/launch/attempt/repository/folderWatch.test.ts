import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../testing/tempFolder.ts';
import { folderWatch } from './folderWatch.ts';

it.each([
  ['in place', true, false, 'is no longer in a git repository.'],
  ['with worktrees', true, true, '--worktrees needs a git repository, and '],
  ['outside of a repository', false, false, null],
])('says why nothing more is claimed: %s', async (_how, isRepository, worktrees, expected) => {
  await using temp = await tempFolder();
  const folder = path.join(temp.path, 'a');
  mkdirSync(path.join(folder, isRepository ? '.git' : 'other'), { recursive: true });
  const why = folderWatch(worktrees, folder);
  expect(why()).toBeNull();
  rmSync(path.join(folder, '.git'), { recursive: true, force: true });
  expect(why()).toEqual(expected === null ? null : expect.stringContaining(expected));
  rmSync(folder, { recursive: true });
  expect(why()).toBe(`No task is claimed: ${folder}, the folder of this worker, no longer exists.`);
});
