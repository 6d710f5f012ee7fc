import {
  copyFileSync,
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
import type { Git } from './git.ts';
import { treeDigest } from './treeDigest.ts';
import { openWalkRecord, startWalkRecord, TrackedFolders } from './walkRecord.ts';

/** A file system's own times cannot be set back. */
const SETTLED_MS = 1_050;

/** The digest, and whether all folders were walked for it. */
async function look({ hardened, path, beside }: GitRepository, mirrors = 'mirrors') {
  let walked = false;
  const run: Git['run'] = (command) => {
    if (command.args.join(' ') === 'ls-files --others --directory') walked = true;
    return hardened.run(command);
  };
  const made = await treeDigest({ ...hardened, run }, { folder: path, mirrors: join(beside, mirrors) });
  return { digest: made.type === 'digest' ? made.digest : expect.unreachable(made.reason), walked };
}

function fill({ write, git, path }: GitRepository): void {
  write('deep/er/tracked.txt', 'x');
  write('ü/tracked.txt', 'x');
  write('.gitignore', 'ignored/\n*.log\n');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'more');
  write('loose.txt', 'x');
  write('folder/new.txt', 'x');
  write('folder/new.log', 'x');
  write('untracked/new.txt', 'x');
  mkdirSync(join(path, 'ignored'));
}

/** Whole seconds, which can be set again exactly. */
function age({ path }: GitRepository): void {
  const folders = readdirSync(path, { recursive: true, withFileTypes: true }).filter((one) => one.isDirectory());
  for (const { parentPath, name } of folders) utimesSync(join(parentPath, name), YESTERDAY, YESTERDAY);
  utimesSync(path, YESTERDAY, YESTERDAY);
}

const YESTERDAY = Math.floor(Date.now() / 1000) - 86_400;

/** Acts without a trace in the times that a program can set. */
function unnoticed(folder: string, act: () => void): void {
  const { atime, mtime } = statSync(folder);
  act();
  utimesSync(folder, atime, mtime);
}

const recordOf = ({ beside }: GitRepository) => {
  const [mirror = ''] = readdirSync(join(beside, 'mirrors'));
  const [name = ''] = readdirSync(join(beside, 'mirrors', mirror)).filter((one) => one.endsWith('.walk'));
  return join(beside, 'mirrors', mirror, name);
};

interface Trick {
  readonly name: string;
  /** Before the first digest. */
  readonly setUp?: (repository: GitRepository) => void;
  readonly act: (repository: GitRepository) => void;
}

const TRICKS: readonly Trick[] = [
  { name: 'a new file at the top', act: ({ path, write }) => unnoticed(path, () => write('new.txt', 'x')) },
  {
    name: 'a new file in a folder below',
    act: ({ path, write }) => unnoticed(join(path, 'deep/er'), () => write('deep/er/new.txt', 'x')),
  },
  {
    name: 'a new file in a folder whose name is not ASCII',
    act: ({ path, write }) => unnoticed(join(path, 'ü'), () => write('ü/new.txt', 'x')),
  },
  { name: 'a new file in a folder without tracked files', act: ({ write }) => write('untracked/deep/new.txt', 'x') },
  { name: 'other content in a known file', act: ({ write }) => write('folder/new.txt', 'y') },
  {
    name: 'a file that was renamed',
    act: ({ path }) =>
      unnoticed(join(path, 'folder'), () => renameSync(join(path, 'folder/new.txt'), join(path, 'folder/n.txt'))),
  },
  {
    name: 'a file that was removed',
    act: ({ path }) => unnoticed(join(path, 'folder'), () => rmSync(join(path, 'folder/new.txt'))),
  },
  {
    name: 'a folder that took the place of another one',
    setUp: ({ write }) => {
      write('spare/tracked.txt', 'x');
      write('spare/hidden.txt', 'x');
    },
    act: ({ path }) =>
      unnoticed(path, () => {
        const { atime, mtime } = statSync(join(path, 'deep/er'));
        rmSync(join(path, 'deep/er'), { recursive: true });
        renameSync(join(path, 'spare'), join(path, 'deep/er'));
        utimesSync(join(path, 'deep/er'), atime, mtime);
      }),
  },
  {
    name: 'a folder that a link replaced',
    act: ({ path, beside }) => {
      renameSync(join(path, 'deep/er'), join(beside, 'er'));
      symlinkSync(join(beside, 'er'), join(path, 'deep/er'));
    },
  },
  {
    name: 'a folder that came back after it was gone',
    setUp: ({ path }) => rmSync(join(path, 'deep'), { recursive: true }),
    act: ({ write }) => write('deep/er/new.txt', 'x'),
  },
  {
    name: 'a rule that hides a known file',
    setUp: ({ write }) => write('folder/.gitignore', '# none\n'),
    act: ({ write }) => write('folder/.gitignore', 'new.txt\n'),
  },
  {
    name: 'new files in a tracked folder that became a repository',
    setUp: ({ git, path }) => git('init', '--quiet', join(path, 'folder')),
    act: ({ write }) => write('folder/in/new.txt', 'x'),
  },
  {
    name: 'new files in a tracked folder below one that is a repository',
    setUp: ({ git, path }) => git('init', '--quiet', join(path, 'deep')),
    act: ({ write }) => write('deep/er/new.txt', 'x'),
  },
  {
    name: 'other files in a folder inside a tracked folder that is a repository',
    setUp: ({ git, path, write }) => {
      git('init', '--quiet', join(path, 'deep/er'));
      write('deep/er/in/new.txt', 'x');
    },
    act: ({ write }) => write('deep/er/in/other.txt', 'x'),
  },
  {
    name: 'a new file that was taken out of the record',
    act: (repository) => {
      const file = recordOf(repository);
      const { ino, ctimeNs } = statSync(repository.path, { bigint: true });
      repository.write('new.txt', 'x');
      const now = statSync(repository.path, { bigint: true });
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.replace(`${ino} ${ctimeNs}\t`, `${now.ino} ${now.ctimeNs}\t`));
    },
  },
];

describe.concurrent('what the last walk found', () => {
  it.for(TRICKS)('shows $name', async ({ setUp, act }) => {
    await using repository = await gitRepository();
    fill(repository);
    setUp?.(repository);
    age(repository);
    await setTimeout(SETTLED_MS);
    const first = await look(repository);
    expect(await look(repository)).toEqual({ digest: first.digest, walked: false });
    act(repository);
    await setTimeout(SETTLED_MS);
    const { digest } = await look(repository);
    expect(digest).not.toBe(first.digest);
    // as one who sees the worktree for the first time
    expect(digest).toBe((await look(repository, 'fresh/mirrors')).digest);
  });

  it('does not count for a folder that changed in the same second', async () => {
    await using repository = await gitRepository();
    const { path: topLevel, beside: home } = repository;
    const indexFile = join(home, 'index');
    const changedAt = statSync(topLevel).ctimeMs;
    const recordAt = (ms: number) => openWalkRecord({ home, indexFile, topLevel, now: new Date(changedAt + ms) });
    startWalkRecord(home, indexFile, ['']);
    for (const ms of [0, 900]) {
      const record = recordAt(ms);
      expect(await record.known()).toBeUndefined();
      record.keep(['early']);
      // it may have changed again, in the same step of the clock
      expect(await recordAt(9_000).known()).toBeUndefined();
    }
    const record = recordAt(1_100);
    await record.known();
    record.keep(['settled']);
    expect(await recordAt(9_000).known()).toEqual(['settled']);
    expect(await recordAt(-9_000).known()).toBeUndefined();
  });

  it('is not used when the record was edited, or is that of another commit', async () => {
    await using repository = await gitRepository();
    fill(repository);
    await setTimeout(SETTLED_MS);
    await look(repository);
    const file = recordOf(repository);
    const whole = readFileSync(file, 'utf8');
    for (const text of [whole.replace('loose.txt\n', ''), whole.replace('\tdeep/er\n', '\tdeep\n'), '']) {
      writeFileSync(file, text);
      expect((await look(repository)).walked, text).toBe(true);
      writeFileSync(file, whole);
    }
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'next');
    await look(repository);
    const next = readdirSync(join(file, '..')).find((one) => one.endsWith('.walk') && !file.endsWith(one)) ?? '';
    copyFileSync(file, join(file, '..', next));
    expect((await look(repository)).walked).toBe(true);
    rmSync(join(repository.beside, 'keys/seal'));
    expect((await look(repository)).walked).toBe(true);
  });
});

it('goes through every folder with a tracked file in it', () => {
  const folders = new TrackedFolders();
  for (const file of ['top', 'a/b/c/file', 'a/b/other', '"\\303\\274/in/x"', 'z/file']) folders.add(file);
  expect([...folders.paths].toSorted()).toEqual(
    ['', '"\\303\\274"', '"\\303\\274/in"', 'a', 'a/b', 'a/b/c', 'z'].toSorted(),
  );
});
