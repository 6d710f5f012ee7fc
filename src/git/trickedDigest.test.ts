import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../tests/support/gitRepository.ts';
import { treeDigest } from './treeDigest.ts';

async function digest({ hardened, path, beside }: GitRepository) {
  const made = await treeDigest(hardened, { folder: path, mirrors: join(beside, 'mirrors') });
  return made.type === 'digest' ? made.digest : expect.unreachable(made.reason);
}

const YESTERDAY = Math.floor(Date.now() / 1000) - 86_400;

/** Files of yesterday: git reads the content of fresh ones again, which would see through most tricks by luck. */
function age({ path, git }: GitRepository): void {
  for (const name of git('ls-files', '-co').split('\n')) {
    if (name !== '') utimesSync(join(path, name), YESTERDAY, YESTERDAY);
  }
  try {
    git('update-index', '--refresh');
  } catch {
    // exit 1 means that there are changes
  }
}

/** A file system's own times cannot be set back. */
const SETTLED_MS = 1_050;

/** Other content in the same size, with the times that the file had. */
function forge(file: string): void {
  const { atime, mtime, size } = statSync(file);
  writeFileSync(file, 'x'.repeat(size));
  utimesSync(file, atime, mtime);
}

interface Trick {
  readonly name: string;
  /** Before the first digest. */
  readonly setUp?: (repository: GitRepository) => void;
  readonly act: (repository: GitRepository) => void;
}

const inRepository = ({ path }: GitRepository, name: string) => join(path, name);
const gitFile = ({ path }: GitRepository, name: string, text: string) => {
  mkdirSync(join(path, '.git/info'), { recursive: true });
  appendFileSync(join(path, '.git', name), text);
};

/** The entry of one file in git's index, with another file's stat data: git takes the change for clean. */
function doctorIndex(repository: GitRepository): void {
  repository.git('hash-object', '-w', 'kept.txt');
  const old = repository.git('rev-parse', 'HEAD:kept.txt').trim();
  utimesSync(repository.write('kept.txt', 'doctored\n'), YESTERDAY, YESTERDAY);
  repository.git('add', 'kept.txt');
  const added = repository.git('hash-object', 'kept.txt').trim();
  const file = inRepository(repository, '.git/index');
  const index = readFileSync(file);
  index.set(Buffer.from(old, 'hex'), index.indexOf(Buffer.from(added, 'hex')));
  // the checksum over the index: zeros mean that none was made
  index.fill(0, index.length - 20);
  writeFileSync(file, index);
  expect(repository.git('status', '--porcelain')).toBe('');
}

const TRICKS: readonly Trick[] = [
  {
    name: 'skip-worktree',
    act: (repository) => {
      repository.git('update-index', '--skip-worktree', 'kept.txt');
      repository.write('kept.txt', 'other\n');
    },
  },
  {
    name: 'assume-unchanged',
    setUp: ({ git }) => git('update-index', '--assume-unchanged', 'kept.txt'),
    act: ({ write }) => write('kept.txt', 'other\n'),
  },
  {
    name: 'core.ignoreStat',
    setUp: ({ git }) => {
      git('config', 'core.ignoreStat', 'true');
      git('update-index', 'kept.txt');
    },
    act: ({ write }) => write('kept.txt', 'other\n'),
  },
  {
    name: 'a new file in .git/info/exclude',
    act: (repository) => {
      gitFile(repository, 'info/exclude', 'evil.txt\n');
      repository.write('evil.txt', 'x');
    },
  },
  {
    name: 'a changed file that .git/info/exclude names',
    setUp: (repository) => {
      gitFile(repository, 'info/exclude', 'evil.txt\n');
      repository.write('evil.txt', 'one');
    },
    act: ({ write }) => write('evil.txt', 'two'),
  },
  {
    name: 'a changed file that core.excludesFile names',
    setUp: (repository) => {
      writeFileSync(join(repository.beside, 'excludes'), 'evil.txt\n');
      repository.git('config', 'core.excludesFile', join(repository.beside, 'excludes'));
      repository.write('evil.txt', 'one');
    },
    act: ({ write }) => write('evil.txt', 'two'),
  },
  {
    name: 'a .gitignore that ignores itself',
    setUp: ({ write }) => {
      write('folder/.gitignore', '*\n');
      write('folder/evil.txt', 'one');
    },
    act: ({ write }) => write('folder/evil.txt', 'two'),
  },
  {
    name: 'a new folder that a .gitignore in it hides',
    setUp: ({ write }) => {
      write('new/.gitignore', '*\n');
      write('new/deep/evil.txt', 'one');
    },
    act: ({ write }) => write('new/deep/evil.txt', 'two'),
  },
  {
    name: 'a changed .gitignore',
    setUp: ({ write }) => {
      write('.gitignore', 'ignored/\nevil.txt\nhidden/\n');
      write('hidden/a/evil.txt', 'one');
    },
    act: ({ write }) => write('hidden/a/evil.txt', 'two'),
  },
  {
    name: 'core.fileMode=false',
    setUp: ({ git }) => git('config', 'core.fileMode', 'false'),
    act: (repository) => chmodSync(inRepository(repository, 'kept.txt'), 0o755),
  },
  {
    name: 'core.trustctime=false with a kept time',
    setUp: ({ git }) => git('config', 'core.trustctime', 'false'),
    act: (repository) => forge(inRepository(repository, 'kept.txt')),
  },
  {
    name: 'core.checkStat=minimal with a kept time',
    setUp: ({ git }) => {
      git('config', 'core.checkStat', 'minimal');
      git('config', 'core.trustctime', 'false');
    },
    act: (repository) => {
      renameSync(inRepository(repository, 'kept.txt'), join(repository.beside, 'kept.txt'));
      const { atime, mtime } = statSync(join(repository.beside, 'kept.txt'));
      repository.write('kept.txt', 'FIRST\n');
      utimesSync(inRepository(repository, 'kept.txt'), atime, mtime);
    },
  },
  {
    name: 'core.symlinks=false',
    setUp: ({ git }) => git('config', 'core.symlinks', 'false'),
    act: (repository) => {
      rmSync(inRepository(repository, 'kept.txt'));
      symlinkSync('first\n', inRepository(repository, 'kept.txt'));
    },
  },
  { name: 'an index with doctored entries', act: doctorIndex },
  {
    name: 'an untracked cache',
    setUp: ({ git }) => {
      git('config', 'core.untrackedCache', 'true');
      git('update-index', '--force-untracked-cache');
      git('status');
    },
    act: ({ write }) => write('folder/evil.txt', 'x'),
  },
  {
    name: 'a file system monitor that sees nothing',
    setUp: (repository) => {
      const monitor = repository.write('../home/monitor', '#!/bin/sh\nprintf "token\\0"\n');
      chmodSync(monitor, 0o755);
      repository.git('config', 'core.fsmonitor', monitor);
      repository.git('update-index', '--fsmonitor');
      repository.git('status');
    },
    act: ({ write }) => write('kept.txt', 'other\n'),
  },
  {
    name: 'line ends that attributes hide',
    setUp: (repository) => gitFile(repository, 'info/attributes', '* text\n'),
    act: ({ write }) => write('kept.txt', 'first\r\n'),
  },
  {
    name: 'line ends that a tracked .gitattributes hides',
    setUp: ({ write, git }) => {
      write('.gitattributes', '* text=auto\n');
      git('add', '.gitattributes');
      git('commit', '--quiet', '-m', 'attributes');
    },
    act: ({ write }) => write('kept.txt', 'first\r\n'),
  },
  {
    name: 'an encoding that attributes hide',
    setUp: (repository) => gitFile(repository, 'info/attributes', '*.txt working-tree-encoding=UTF-16LE\n'),
    act: ({ write }) => write('kept.txt', Buffer.from('first\n', 'utf16le')),
  },
  {
    name: 'another worktree in the configuration',
    act: (repository) => {
      repository.git('clone', '--quiet', '.', join(repository.beside, 'clone'));
      repository.write('kept.txt', 'other\n');
      repository.git('config', 'core.worktree', join(repository.beside, 'clone'));
    },
  },
  {
    name: 'a replaced commit',
    act: (repository) => {
      const { git, write } = repository;
      const first = git('rev-parse', 'HEAD').trim();
      write('kept.txt', 'other\n');
      git('commit', '--quiet', '-a', '-m', 'other');
      const other = git('rev-parse', 'HEAD').trim();
      git('reset', '--quiet', '--soft', first);
      git('replace', first, other);
    },
  },
  {
    name: 'a file over 16 MB with a kept time',
    setUp: ({ write }) => write('large.bin', Buffer.alloc(17_000_000)),
    act: (repository) => forge(inRepository(repository, 'large.bin')),
  },
  {
    name: 'a tracked file over 16 MB with a kept time',
    setUp: ({ write, git }) => {
      write('large.bin', Buffer.alloc(17_000_000));
      git('add', '-A');
      git('commit', '--quiet', '-m', 'large');
    },
    act: (repository) => forge(inRepository(repository, 'large.bin')),
  },
  {
    name: 'a tracked link to a file outside',
    setUp: (repository) => {
      writeFileSync(join(repository.beside, 'outside.txt'), 'one');
      symlinkSync(join(repository.beside, 'outside.txt'), inRepository(repository, 'link'));
      repository.git('add', '-A');
      repository.git('commit', '--quiet', '-m', 'link');
    },
    act: ({ beside }) => writeFileSync(join(beside, 'outside.txt'), 'two'),
  },
  {
    name: 'an untracked link to a folder outside',
    setUp: (repository) => {
      mkdirSync(join(repository.beside, 'out/deep'), { recursive: true });
      writeFileSync(join(repository.beside, 'out/deep/data'), 'one');
      symlinkSync(join(repository.beside, 'out'), inRepository(repository, 'link'));
    },
    act: ({ beside }) => writeFileSync(join(beside, 'out/deep/data'), 'two'),
  },
  {
    name: 'a link to a link to an ignored file',
    setUp: (repository) => {
      repository.write('ignored/data', 'one');
      symlinkSync(join(repository.path, 'ignored/data'), join(repository.beside, 'between'));
      symlinkSync(join(repository.beside, 'between'), inRepository(repository, 'link'));
    },
    act: ({ write }) => write('ignored/data', 'two'),
  },
  {
    name: 'permissions that git does not record',
    act: (repository) => chmodSync(inRepository(repository, 'kept.txt'), 0o600),
  },
  {
    name: 'permissions that were unusual and are usual now',
    setUp: (repository) => chmodSync(inRepository(repository, 'kept.txt'), 0o600),
    act: (repository) => chmodSync(inRepository(repository, 'kept.txt'), 0o644),
  },
  {
    name: 'permissions of an untracked file',
    setUp: (repository) => chmodSync(repository.write('new.sh', 'x'), 0o755),
    act: (repository) => chmodSync(inRepository(repository, 'new.sh'), 0o700),
  },
];

/** What no commit of today has any more. */
const FORMER: readonly Trick[] = [
  {
    name: 'that a committed rule hides',
    setUp: ({ write, git }) => {
      write('.gitignore', 'ignored/\nkept.txt\n');
      git('rm', '--quiet', '--cached', 'kept.txt');
      git('commit', '--quiet', '-a', '-m', 'hide');
    },
    act: ({ write }) => write('kept.txt', 'broken\n'),
  },
  {
    name: 'in a folder that a committed rule hides',
    setUp: ({ write, git }) => {
      write('.gitignore', 'ignored/\nfolder/\n');
      git('rm', '--quiet', '-r', '--cached', 'folder');
      git('commit', '--quiet', '-a', '-m', 'hide');
    },
    act: ({ write }) => write('folder/other.txt', 'broken\n'),
  },
];

describe('the digest of a file that was tracked', () => {
  it.concurrent.each(FORMER)('sees a change $name', async ({ setUp, act }) => {
    await using repository = await gitRepository();
    await digest(repository);
    setUp?.(repository);
    await setTimeout(SETTLED_MS);
    const before = await digest(repository);
    expect(await digest(repository)).toBe(before);
    act(repository);
    expect(await digest(repository)).not.toBe(before);
  });

  it('sees what was never tracked, hidden by a rule that was committed since', async () => {
    await using repository = await gitRepository();
    const since = repository.git('rev-parse', 'HEAD').trim();
    repository.write('.gitignore', 'ignored/\nnew/\n');
    repository.git('commit', '--quiet', '-a', '-m', 'hide');
    repository.write('new/evil.js', 'one');
    const request = { folder: repository.path, mirrors: join(repository.beside, 'mirrors') };
    const [plain, seen] = [
      await treeDigest(repository.hardened, request),
      await treeDigest(repository.hardened, { ...request, since }),
    ];
    repository.write('new/evil.js', 'two');
    expect(await treeDigest(repository.hardened, request)).toEqual(plain);
    expect(await treeDigest(repository.hardened, { ...request, since })).not.toEqual(seen);
  });
});

const mirrorName = ({ beside }: GitRepository) => readdirSync(join(beside, 'mirrors'))[0] ?? '';

describe('the surroundings of a worktree', () => {
  const surroundings = async ({ hardened, path, beside }: GitRepository) => {
    const made = await treeDigest(hardened, { folder: path, mirrors: join(beside, 'mirrors') });
    return made.type === 'digest' ? [made.digest, made.surroundings] : expect.unreachable(made.reason);
  };

  const STATES: readonly Trick[] = [
    { name: 'a staged file', setUp: ({ write }) => write('kept.txt', 'x'), act: ({ git }) => git('add', '-A') },
    { name: 'another branch', act: ({ git }) => git('checkout', '--quiet', '-b', 'other') },
    { name: 'a tag', act: ({ git }) => git('tag', 'v1') },
    { name: 'a setting', act: ({ git }) => git('config', 'a.b', 'c') },
    { name: 'an empty folder', act: ({ path }) => mkdirSync(join(path, 'empty')) },
    {
      name: 'an empty folder in a new one',
      setUp: ({ write }) => write('new/file', 'x'),
      act: ({ path }) => mkdirSync(join(path, 'new/empty')),
    },
    { name: 'a mark in the index', act: ({ git }) => git('update-index', '--skip-worktree', 'kept.txt') },
    {
      name: 'a stash below another one',
      setUp: ({ write, git }) => {
        for (const text of ['one', 'two']) {
          write('kept.txt', text);
          git('stash', '--quiet');
        }
      },
      act: ({ git }) => git('stash', 'drop', '--quiet', 'stash@{1}'),
    },
  ];

  it.concurrent.each(STATES)('change with $name, and the digest does not', async ({ setUp, act }) => {
    await using repository = await gitRepository();
    setUp?.(repository);
    const [files, before] = await surroundings(repository);
    expect(await surroundings(repository)).toEqual([files, before]);
    act(repository);
    const [filesAfter, after] = await surroundings(repository);
    expect(filesAfter).toBe(files);
    expect(after).not.toBe(before);
  });

  it('change with what is staged, although the digest of the index is remembered', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'x');
    await surroundings(repository);
    await setTimeout(SETTLED_MS);
    const before = await surroundings(repository);
    expect(readFileSync(join(repository.beside, 'mirrors', mirrorName(repository), 'staged'), 'utf8')).toMatch(
      /\n\w+$/,
    );
    expect(await surroundings(repository)).toEqual(before);
    repository.git('add', '-A');
    expect(await surroundings(repository)).not.toEqual(before);
  });

  it('stay when work is kept, files are touched or an ignored folder is empty', async () => {
    await using repository = await gitRepository();
    const before = await surroundings(repository);
    repository.git('update-ref', 'refs/stopgate/wip/one', 'HEAD');
    utimesSync(join(repository.path, 'kept.txt'), YESTERDAY, YESTERDAY);
    repository.git('status');
    mkdirSync(join(repository.path, 'ignored/empty'), { recursive: true });
    expect(await surroundings(repository)).toEqual(before);
  });
});

describe('the digest of a worktree whose git was tampered with', () => {
  it.concurrent.each(TRICKS)('sees a change behind $name', async ({ setUp, act }) => {
    await using repository = await gitRepository();
    age(repository);
    setUp?.(repository);
    age(repository);
    // twice: what was read once comes from our own record then, unless it is too fresh to be recorded
    await setTimeout(SETTLED_MS);
    const before = await digest(repository);
    expect(await digest(repository)).toBe(before);
    act(repository);
    expect(await digest(repository)).not.toBe(before);
  });
});
