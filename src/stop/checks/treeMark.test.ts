import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../../tests/support/gitRepository.ts';
import { treeMark } from './treeMark.ts';

it.each<[string, boolean, (repository: GitRepository) => void]>([
  ['nothing happens', false, () => {}],
  [
    'a file is changed and put back',
    true,
    ({ write }) => {
      write('kept.txt', 'other\n');
      write('kept.txt', 'first\n');
    },
  ],
  [
    'a file is created and removed',
    true,
    ({ write, path }) => {
      write('new.txt', '');
      rmSync(join(path, 'new.txt'));
    },
  ],
  ['git reads its index anew', false, ({ git }) => git('add', '--refresh', '.')],
  ['an ignored file changes', false, ({ write }) => write('built/file.txt', 'other')],
])('when %s, the mark differs: %s', async (_what, differs, act) => {
  await using repository = await gitRepository();
  const { write, hardened, path, beside } = repository;
  write('.gitignore', 'built\n');
  write('kept.txt', 'first\n');
  write('built/file.txt', '');
  const mark = () => treeMark(hardened, path, beside);
  const before = await mark();
  act(repository);
  expect((await mark()) !== before).toBe(differs);
});
