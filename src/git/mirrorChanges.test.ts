import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../tests/support/gitRepository.ts';
import { openMirror } from './mirror.ts';
import { listMirrorChanges } from './mirrorChanges.ts';
import { folderPath } from './quotedPath.ts';

/** Everything in which a list of untracked files can go wrong: rules in and above folders, names that look like patterns. */
function fill({ path, write, git }: GitRepository): void {
  write('.gitignore', 'ignored/\n*.log\n!keep.log\npart/*.o\n');
  write('tracked/sub/file.txt', 'x');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'more');
  for (const folder of ['empty/deep', 'tracked/empty', 'logs/empty'])
    mkdirSync(join(path, folder), { recursive: true });
  const names = [
    ...[
      'ignored/x/file',
      'part/a.o',
      'part/b.c',
      'mixed/in/z.log',
      'mixed/in/y.txt',
      'tracked/n.log',
      'tracked/keep.log',
    ],
    ...[
      'tracked/new',
      '*star/file',
      ':colon/file',
      'with space/a b',
      'q[1]/file',
      '!not/file',
      'logs/a.log',
      'dir.log/file',
    ],
    ...['tracked/newdir/f.log', 'tracked/newdir/g', 'self/hidden', 'self/in/hidden', 'only/.gitignore'],
  ];
  for (const name of names) write(name, 'x');
  write('self/.gitignore', '*\n');
  write('tracked/.gitignore', 'hid*\n');
  write('tracked/hidden', 'x');
  symlinkSync('/etc', join(path, 'link'));
  for (const inner of ['inner', 'ignored/inner', 'mixed/inner'])
    execFileSync('git', ['init', '--quiet', join(path, inner)]);
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

async function compare(repository: GitRepository) {
  const { hardened, beside, path, git } = repository;
  const place = { mirrors: join(beside, 'mirrors'), topLevel: path, head: git('rev-parse', 'HEAD').trim() };
  const list = await listMirrorChanges(await openMirror(hardened, place), 100_000);
  const plain = (...args: readonly string[]) =>
    lines(git('ls-files', '--others', '--exclude-per-directory=.gitignore', ...args));
  const others = list.changes.filter(({ type }) => type === 'untracked' || type === 'repository');
  expect(others.map((one) => one.path).toSorted()).toEqual(
    plain()
      .map((line) => folderPath(line) ?? line)
      .toSorted(),
  );
  expect(list.ignored.toSorted()).toEqual(plain('--ignored', '--directory').toSorted());
  const folders = plain('--directory').flatMap((line) => (list.ignored.includes(line) ? [] : (folderPath(line) ?? [])));
  expect(list.folders.toSorted()).toEqual(folders.toSorted());
  return others.length;
}

describe.concurrent('what is not tracked is listed as git lists it for the whole worktree', () => {
  it('with rules, empty folders, repositories inside and names like patterns', async () => {
    await using repository = await gitRepository();
    fill(repository);
    expect(await compare(repository)).toBe(15);
  });

  it('with names that cannot be arguments', async () => {
    await using repository = await gitRepository();
    fill(repository);
    repository.write('ü/ü.txt', 'x');
    expect(await compare(repository)).toBe(16);
  });

  it('with more entries than fit into a command line', async () => {
    await using repository = await gitRepository();
    fill(repository);
    for (let n = 0; n < 1_100; n++) repository.write(`loose-${n}`, 'x');
    expect(await compare(repository)).toBe(1_115);
  });

  it('with nothing at all', async () => {
    await using repository = await gitRepository();
    repository.git('clean', '-fdxq');
    expect(await compare(repository)).toBe(0);
  });
});
