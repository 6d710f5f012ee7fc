import { chmodSync, mkdirSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../tests/support/gitRepository.ts';
import { tempFolder } from '../testing/tempFolder.ts';
import { folderDigest } from './folderDigest.ts';
import { treeDigest } from './treeDigest.ts';
import type { DigestLimits } from './treeStates.ts';

/** Both ways must agree on what a change is. */
const WAYS = [
  { way: 'git status', hasMirror: false },
  { way: 'a mirror', hasMirror: true },
];

const digestBy =
  (hasMirror: boolean) =>
  async ({ hardened, path, beside }: GitRepository, limits: Partial<DigestLimits> = {}, folder = path) => {
    const mirrors = hasMirror ? join(beside, 'mirrors') : undefined;
    const made = await treeDigest(hardened, { folder, limits, mirrors });
    return made.type === 'digest' ? made.digest : expect.unreachable(made.reason);
  };

/** What is done to a worktree, and whether it counts as a change. */
const CASES: readonly (readonly [string, boolean, (repository: GitRepository) => void])[] = [
  ['a tracked file changes', true, ({ write }) => write('kept.txt', 'other\n')],
  ['a changed file changes again, in the same size', true, ({ write }) => write('changed.txt', 'changed_again')],
  ['an untracked file appears', true, ({ write }) => write('another.txt', 'x')],
  ['an untracked file changes in the same size', true, ({ write }) => write('untracked.txt', 'UNTRACKED')],
  ['an untracked file is renamed', true, ({ git }) => git('mv', '-k', 'changed.txt', 'moved.txt')],
  ['a tracked file is deleted', true, ({ path }) => rmSync(join(path, 'kept.txt'))],
  ['a file becomes executable', true, ({ path }) => chmodSync(join(path, 'kept.txt'), 0o755)],
  ['HEAD moves', true, ({ git }) => git('commit', '--quiet', '--allow-empty', '-m', 'empty')],
  ['nothing happens', false, () => {}],
  ['an ignored file appears', false, ({ write }) => write('ignored/file.txt', 'x')],
  ['a file is touched', false, ({ path }) => utimesSync(join(path, 'kept.txt'), 1, 1)],
  ['everything is staged', false, ({ git }) => git('add', '-A')],
  ['the branch gets another name', false, ({ git }) => git('branch', '-m', 'other')],
  [
    'something is staged that is not on disk',
    false,
    ({ git, write }) => {
      write('kept.txt', 'other\n');
      git('add', 'kept.txt');
      write('kept.txt', 'first\n');
    },
  ],
];

describe('the digest of a worktree, by git status and by a mirror,', () => {
  it.each(CASES)('when %s: changed is %s', async (_, isChange, act) => {
    await using repository = await gitRepository();
    repository.write('changed.txt', 'first');
    repository.git('add', '-A');
    repository.git('commit', '--quiet', '-m', 'second');
    repository.write('changed.txt', 'changed_first');
    repository.write('untracked.txt', 'untracked');
    const look = () => Promise.all(WAYS.map(({ hasMirror }) => digestBy(hasMirror)(repository)));
    const before = await look();
    act(repository);
    const after = await look();
    expect(after.map((one, place) => one !== before[place])).toEqual(WAYS.map(() => isChange));
  });
});

describe.each(WAYS)('the digest of a worktree by $way', ({ hasMirror }) => {
  const digest = digestBy(hasMirror);

  it('writes nothing, not even an object', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'other\n');
    repository.write('untracked.txt', 'x');
    const files = () => readdirSync(join(repository.path, '.git'), { recursive: true }).toSorted();
    const [before, state] = [files(), repository.state()];
    await digest(repository);
    expect(files()).toEqual(before);
    expect(repository.state()).toEqual(state);
  });

  it('is the same from every folder of the worktree', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'other\n');
    expect(await digest(repository, {}, join(repository.path, 'folder'))).toBe(await digest(repository));
  });

  it('sees into submodules and repositories that lie in it', async () => {
    await using repository = await gitRepository();
    const library = join(repository.beside, 'library');
    repository.git('clone', '--quiet', repository.path, library);
    repository.git('submodule', '--quiet', 'add', library, 'sub');
    repository.git('init', '--quiet', join(repository.path, 'found'));
    const seen = new Set([await digest(repository)]);
    for (const [name, content] of [
      ['sub/kept.txt', 'a'],
      ['sub/kept.txt', 'b'],
      ['found/new.txt', 'a'],
      ['found/new.txt', 'b'],
    ] as const) {
      repository.write(name, content);
      seen.add(await digest(repository));
    }
    expect(seen.size).toBe(5);
  });

  it('goes by size and time where reading all would take long', async () => {
    await using repository = await gitRepository();
    truncateSync(repository.write('huge.bin', ''), 3_000_000_000);
    const before = await digest(repository);
    expect(await digest(repository)).toBe(before);
    truncateSync(join(repository.path, 'huge.bin'), 3_000_000_001);
    expect(await digest(repository)).not.toBe(before);
    const few = await digest(repository, { files: 0 });
    utimesSync(join(repository.path, 'huge.bin'), 1, 1);
    expect(await digest(repository, { files: 0 })).not.toBe(few);
  });

  it('does without a filter that fails', async () => {
    await using repository = await gitRepository();
    repository.write('.gitattributes', '*.txt filter=lfs\n');
    repository.git('config', 'filter.lfs.clean', 'no-such-program');
    repository.git('config', 'filter.lfs.required', 'true');
    repository.write('kept.txt', 'other\n');
    const before = await digest(repository);
    repository.write('kept.txt', 'again\n');
    expect(await digest(repository)).not.toBe(before);
  });

  it('works before the first commit and in the middle of a conflict', async () => {
    await using repository = await gitRepository({ isEmpty: true });
    const before = await digest(repository);
    repository.write('new.txt', 'x');
    expect(await digest(repository)).not.toBe(before);
  });

  it('has a reason when there is none', async () => {
    await using repository = await gitRepository();
    expect(await treeDigest(repository.hardened, { folder: '/nowhere' })).toEqual({
      type: 'failed',
      reason: 'There is no folder /nowhere.',
    });
  });
});

describe('a mirror', () => {
  const digest = digestBy(true);

  it('follows HEAD from branch to branch and back', async () => {
    await using repository = await gitRepository();
    const { git, write } = repository;
    const first = await digest(repository);
    git('switch', '--quiet', '-c', 'other');
    write('kept.txt', 'other\n');
    git('commit', '--quiet', '-a', '-m', 'other');
    const other = await digest(repository);
    expect(other).not.toBe(first);
    git('switch', '--quiet', 'main');
    expect(await digest(repository)).toBe(first);
    git('switch', '--quiet', 'other');
    expect(await digest(repository)).toBe(other);
  });

  it.each([['sha256'], ['sha1']])('reads a repository with %s objects', async (format) => {
    await using repository = await gitRepository({ initArgs: [`--object-format=${format}`] });
    const before = await digest(repository);
    repository.write('kept.txt', 'other\n');
    expect(await digest(repository)).not.toBe(before);
    repository.write('kept.txt', 'first\n');
    expect(await digest(repository)).toBe(before);
  });

  it('is one for each linked worktree', async () => {
    await using repository = await gitRepository();
    const linked = join(repository.beside, 'linked');
    repository.git('worktree', 'add', '--quiet', '--detach', linked);
    const before = await digest(repository);
    expect(await digest(repository, {}, linked)).toBe(before);
    writeFileSync(join(linked, 'kept.txt'), 'other\n');
    expect(await digest(repository, {}, linked)).not.toBe(before);
    expect(await digest(repository)).toBe(before);
  });

  it('is used by several at the same time', async () => {
    await using repository = await gitRepository();
    const made = await Promise.all(Array.from({ length: 6 }, () => digest(repository)));
    expect(new Set(made).size).toBe(1);
  });

  it('counts neither what editors leave nor the local settings of an agent', async () => {
    await using repository = await gitRepository();
    const before = await digest(repository);
    repository.write('.DS_Store', 'x');
    repository.write('folder/.other.txt.swp', 'x');
    repository.write('.claude/settings.local.json', '{}');
    repository.write('.pytest_cache/.gitignore', '*\n');
    repository.write('.pytest_cache/v/lastfailed', '{}');
    expect(await digest(repository)).toBe(before);
  });

  it.each(['lib.swp/code.js', 'lib~/code.js', '.DS_Store/code.js', '.claude/settings.local.json/code.js'])(
    'counts a file in a folder that is named as if an editor had left it: %s',
    async (file) => {
      await using repository = await gitRepository();
      repository.write(file, 'good');
      const before = await digest(repository);
      repository.write(file, 'evil');
      expect(await digest(repository)).not.toBe(before);
    },
  );

  it('names files of any name', async () => {
    await using repository = await gitRepository();
    const odd = 'folder/a "b"\t\u00e4\n.txt';
    const before = await digest(repository);
    repository.write(odd, 'x');
    const there = await digest(repository);
    expect(there).not.toBe(before);
    repository.git('add', '-A');
    repository.git('commit', '--quiet', '-m', 'odd');
    const committed = await digest(repository);
    repository.write(odd, 'y');
    expect(await digest(repository)).not.toBe(committed);
  });

  it('has a reason when it cannot be written', async () => {
    await using repository = await gitRepository();
    writeFileSync(join(repository.beside, 'mirrors'), 'a file where the folder should be');
    const made = await treeDigest(repository.hardened, {
      folder: repository.path,
      mirrors: join(repository.beside, 'mirrors'),
    });
    expect(made).toMatchObject({ type: 'failed', reason: expect.stringMatching(/cannot be kept \(ENOTDIR/) });
  });
});

describe('the digest of a folder without git', () => {
  it('follows files, not what tools keep, and is bounded', async () => {
    await using repository = await gitRepository();
    await using folder = await tempFolder();
    const plain = async () => {
      const made = await treeDigest(repository.hardened, { folder: folder.path });
      return made.type === 'digest' ? made.digest : expect.unreachable(made.reason);
    };
    mkdirSync(join(folder.path, 'a/b'), { recursive: true });
    writeFileSync(join(folder.path, 'a/b/file.txt'), 'x');
    const before = await plain();
    mkdirSync(join(folder.path, 'a/node_modules'));
    writeFileSync(join(folder.path, 'a/node_modules/x.js'), 'x');
    expect(await plain()).toBe(before);
    writeFileSync(join(folder.path, 'a/b/file.txt'), 'xy');
    const after = await plain();
    expect(after).not.toBe(before);
    expect(await folderDigest(folder.path, 1)).toEqual(await folderDigest(folder.path, 1));
    expect(await folderDigest(folder.path, 1)).toMatchObject({ isWhole: false });
    expect(await folderDigest(folder.path)).toMatchObject({ isWhole: true });
    rmSync(join(folder.path, 'a/b/file.txt'));
    expect(await plain()).not.toBe(after);
  });
});

describe('the digest with a mirror, and rules that hide nothing', () => {
  it.each([
    ['a new .gitignore', '.gitignore', 'nothing-here\n'],
    ['a new .gitignore below', 'folder/.gitignore', 'nothing-here\n'],
    ['an empty .gitignore', 'folder/.gitignore', ''],
  ])('is known with %s', async (_name, path, text) => {
    await using repository = await gitRepository({ isEmpty: true });
    repository.write('folder/kept.txt', 'x');
    repository.git('add', '-A');
    repository.git('commit', '--quiet', '-m', 'first');
    repository.write(path, text);
    const mirrors = `${repository.beside}/mirrors`;
    expect(await treeDigest(repository.hardened, { folder: repository.path, mirrors })).toMatchObject({
      type: 'digest',
    });
  });
});
