import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { whyFrozenUntrusted } from './folderTrust.ts';

it('names the repository to trust, not a worktree of ours that goes with its attempt', async () => {
  await using home = await tempFolder();
  const worktree = path.join(home.path, 'worktrees', 'app-1');
  mkdirSync(path.join(worktree, 'packages'), { recursive: true });
  writeFileSync(path.join(worktree, '.git'), 'gitdir: /src/app/.git/worktrees/app-1\n');
  const place = { env: {}, stopgateHome: home.path };
  const reason = (folder: string) => whyFrozenUntrusted(folder, place)?.reason;
  expect(reason(worktree)).toContain('run `stopgate trust /src/app`');
  expect(reason(path.join(worktree, 'packages'))).toContain('run `stopgate trust /src/app/packages`');
  expect(reason('/src/other')).toContain('run `stopgate trust /src/other`');
});
