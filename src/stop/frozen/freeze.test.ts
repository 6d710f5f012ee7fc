import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitRepository } from '../../../tests/support/gitRepository.ts';
import { ignoredAmong } from './freeze.ts';

it('takes a file for ignored only when it is not tracked, whatever the rules are', async () => {
  await using repository = await gitRepository();
  const { path, hardened, write, git } = repository;
  write('tools/check.sh', 'exit 1\n');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'tools');
  const files = ['tools/check.sh', 'tools/built.sh', 'kept.txt', 'absent.sh'].map((name) => join(path, name));
  write('tools/built.sh', 'exit 0\n');
  expect(await ignoredAmong(hardened, path, files)).toEqual(new Set());
  write('.gitignore', 'tools/\nabsent*\n*.txt\n');
  expect(await ignoredAmong(hardened, path, files)).toEqual(new Set([files[1], files[3]]));
});
