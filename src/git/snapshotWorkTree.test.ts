import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../tests/support/gitRepository.ts';
import { sizeOf } from '../../tests/support/testSize.ts';
import { spawnProcesses } from '../system/spawnProcesses.ts';
import { tempFolder } from '../testing/tempFolder.ts';
import { openGit } from './git.ts';
import { type Snapshot, type SnapshotRequest, snapshotWorkTree } from './snapshotWorkTree.ts';

const REF = 'refs/stopgate/wip/one';
const ROUNDS = sizeOf({ small: 3, full: 10 });

/** Every snapshot here is taken under the same watch: nothing of the user's is different afterwards. */
async function snapshot(repository: GitRepository, request: Partial<SnapshotRequest> = {}): Promise<Snapshot> {
  const before = repository.state();
  const made = await snapshotWorkTree(repository.hardened, {
    folder: repository.path,
    ref: REF,
    message: 'kept by a test',
    ...request,
  });
  expect(repository.state()).toEqual(before);
  return made;
}

function kept(made: Snapshot) {
  if (made.type !== 'kept') expect.unreachable(JSON.stringify(made));
  return made as Extract<Snapshot, { type: 'kept' }>;
}

const listing = (repository: GitRepository, commit: string) =>
  repository.git('ls-tree', '-r', '--name-only', commit).trimEnd().split('\n');
const content = (repository: GitRepository, path: string, commit = REF) => repository.git('show', `${commit}:${path}`);

describe('a snapshot', () => {
  it('keeps what changed, is new, is staged, and is gone; not what is ignored', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'second\n');
    repository.write('new/file.txt', 'new\n');
    repository.write('ignored/file.txt', 'no\n');
    repository.write('staged.txt', 'staged\n');
    repository.git('add', 'staged.txt');
    repository.write('.env', 'KEY=1\n');
    rmSync(join(repository.path, 'folder/other.txt'));
    const made = kept(await snapshot(repository));
    expect(made).toMatchObject({ ref: REF, isNew: true, changedFiles: 5, leftOut: [], inside: [], notes: [] });
    expect(listing(repository, made.commit)).toEqual(['.env', '.gitignore', 'kept.txt', 'new/file.txt', 'staged.txt']);
    expect(content(repository, 'kept.txt')).toBe('second\n');
    expect(made.parent).toBe(repository.git('rev-parse', 'HEAD').trim());
    expect(repository.git('rev-parse', `${REF}^1`).trim()).toBe(made.parent);
    expect(repository.git('log', '-1', '--format=%an %ce %s', REF)).toBe(
      'stopgate stopgate@localhost kept by a test\n',
    );
  });

  it('reports that there is nothing to keep', async () => {
    await using repository = await gitRepository();
    repository.write('ignored/file.txt', 'no\n');
    expect(await snapshot(repository)).toMatchObject({ type: 'nothingToKeep', leftOut: [] });
    expect(repository.git('for-each-ref', 'refs/stopgate')).toBe('');
  });

  it('keeps a staged version that is nowhere else', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'second\n');
    repository.git('add', '-A');
    repository.write('kept.txt', 'first\n');
    const made = kept(await snapshot(repository));
    expect(made).toMatchObject({ changedFiles: 0, stagedFiles: 1 });
    expect(made.notes).toEqual([expect.stringMatching(/^the staged version of kept\.txt differs .*: git show /)]);
    const [, command = ''] = /: git (show .*)$/.exec(made.notes[0] ?? '') ?? [];
    expect(repository.git(...command.split(' '))).toBe('second\n');
    expect(kept(await snapshot(repository))).toMatchObject({ commit: made.commit, isNew: false });
  });

  it('keeps a staged version beside a conflict', async () => {
    await using repository = await gitRepository();
    repository.git('checkout', '--quiet', '-b', 'side');
    repository.write('kept.txt', 'side\n');
    repository.git('commit', '--quiet', '-am', 'side');
    repository.git('checkout', '--quiet', 'main');
    repository.write('kept.txt', 'main\n');
    repository.git('commit', '--quiet', '-am', 'main');
    expect(() => repository.git('merge', 'side')).toThrow();
    repository.write('folder/other.txt', 'staged\n');
    repository.git('add', 'folder/other.txt');
    repository.write('folder/other.txt', 'in the file\n');
    expect(kept(await snapshot(repository))).toMatchObject({ stagedFiles: 1 });
  });

  it('remembers empty folders by name, but not ignored ones', async () => {
    await using repository = await gitRepository();
    for (const name of ['logs', 'new/deep/er', 'ignored/x', 'folder/ü b']) {
      mkdirSync(join(repository.path, name), { recursive: true });
    }
    repository.write('new/file.txt', 'new\n');
    const { notes, commit } = kept(await snapshot(repository));
    expect(notes).toEqual(['empty folders kept by name: folder/ü b, logs, new/deep/er']);
    expect(repository.git('log', '-1', '--format=%B', commit)).toContain('Stopgate-Empty-Folder: logs\n');
  });

  it('is a chain at one ref, and only grows when something changed', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'second\n');
    const first = kept(await snapshot(repository));
    expect(kept(await snapshot(repository))).toMatchObject({ commit: first.commit, isNew: false });
    repository.write('kept.txt', 'third\n');
    const second = kept(await snapshot(repository));
    expect(repository.git('rev-parse', `${REF}^2`).trim()).toBe(first.commit);
    expect(second.parent).toBe(first.parent);
    expect(content(repository, 'kept.txt', `${REF}^2`)).toBe('second\n');
  });

  it('loses neither of two taken in parallel', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'second\n');
    const request = { folder: repository.path, ref: REF, message: 'm' };
    const other = { ...request, limits: { fileBytes: 0 } };
    repository.write('new.txt', 'new\n');
    const all = await Promise.all([
      snapshotWorkTree(repository.hardened, request),
      snapshotWorkTree(repository.hardened, other),
      snapshotWorkTree(repository.hardened, request),
    ]);
    const chain = repository.git('rev-list', REF).split('\n');
    for (const made of all) expect(chain).toContain(kept(made).commit);
  });

  it('covers the whole worktree from any folder in it', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'second\n');
    const made = kept(await snapshot(repository, { folder: join(repository.path, 'folder') }));
    expect(content(repository, 'kept.txt')).toBe('second\n');
    expect(made.recover).toBe('stopgate restore one');
  });

  it('works before the first commit', async () => {
    await using repository = await gitRepository({ isEmpty: true });
    expect(await snapshot(repository)).toMatchObject({ type: 'nothingToKeep' });
    repository.write('new.txt', 'new\n');
    const made = kept(await snapshot(repository));
    expect(made.parent).toBeUndefined();
    expect(listing(repository, REF)).toEqual(['new.txt']);
    rmSync(join(repository.path, 'new.txt'));
    expect(await snapshot(repository)).toMatchObject({ type: 'nothingToKeep' });
  });

  it('works with a detached HEAD', async () => {
    await using repository = await gitRepository();
    repository.git('checkout', '--quiet', '--detach');
    repository.write('kept.txt', 'second\n');
    expect(kept(await snapshot(repository)).parent).toBe(repository.git('rev-parse', 'HEAD').trim());
  });

  it.each(['merge', 'rebase'])(
    'works in the middle of a %s with conflicts, deleted sides included',
    async (operation) => {
      await using repository = await gitRepository();
      repository.git('checkout', '--quiet', '-b', 'side');
      repository.write('kept.txt', 'side\n');
      repository.write('folder/other.txt', 'side\n');
      repository.git('commit', '--quiet', '-am', 'side');
      repository.git('checkout', '--quiet', 'main');
      repository.write('kept.txt', 'main\n');
      repository.git('rm', '--quiet', 'folder/other.txt');
      repository.git('commit', '--quiet', '-am', 'main');
      expect(() => repository.git(operation, 'side')).toThrow();
      repository.write('new.txt', 'new\n');
      rmSync(join(repository.path, 'folder/other.txt'), { force: true });
      kept(await snapshot(repository));
      expect(content(repository, 'kept.txt')).toContain('<<<<<<<');
      expect(listing(repository, REF)).toEqual(['.gitignore', 'kept.txt', 'new.txt']);
    },
  );

  it('does not wait for a lock on the index', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'second\n');
    writeFileSync(join(repository.path, '.git/index.lock'), '');
    kept(await snapshot(repository));
    expect(existsSync(join(repository.path, '.git/index.lock'))).toBe(true);
  });

  it('does without an index that is broken or gone', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'second\n');
    writeFileSync(join(repository.path, '.git/index'), 'not an index');
    const request = { folder: repository.path, ref: REF, message: 'm' };
    expect(await snapshotWorkTree(repository.hardened, request)).toMatchObject({ type: 'kept', changedFiles: 1 });
    rmSync(join(repository.path, '.git/index'));
    expect(await snapshotWorkTree(repository.hardened, request)).toMatchObject({ type: 'kept', isNew: false });
  });

  it('sees a change of the same size made at the same time as the index', async () => {
    await using repository = await gitRepository();
    for (let round = 0; round < ROUNDS; round++) {
      repository.write('kept.txt', `a${round}\n`);
      repository.git('add', '-A');
      repository.write('kept.txt', `b${round}\n`);
      kept(await snapshot(repository));
      expect(content(repository, 'kept.txt')).toBe(`b${round}\n`);
    }
  });

  it('keeps changes that flags of the index hide', async () => {
    await using repository = await gitRepository();
    repository.git('update-index', '--assume-unchanged', 'kept.txt');
    repository.git('update-index', '--skip-worktree', 'folder/other.txt');
    repository.write('kept.txt', 'hidden\n');
    repository.write('folder/other.txt', 'hidden\n');
    kept(await snapshot(repository));
    expect([content(repository, 'kept.txt'), content(repository, 'folder/other.txt')]).toEqual([
      'hidden\n',
      'hidden\n',
    ]);
  });

  it('does not count files that a sparse checkout left out as deleted', async () => {
    await using repository = await gitRepository();
    repository.write('away/file.txt', 'away\n');
    repository.git('add', '-A');
    repository.git('commit', '--quiet', '-m', 'away');
    repository.git('sparse-checkout', 'set', 'folder');
    expect(existsSync(join(repository.path, 'away'))).toBe(false);
    repository.write('kept.txt', 'second\n');
    kept(await snapshot(repository));
    expect(listing(repository, REF)).toContain('away/file.txt');
  });

  it('works in a linked worktree, at a ref that outlives it', async () => {
    await using repository = await gitRepository();
    const linked = join(repository.beside, 'linked');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', linked);
    writeFileSync(join(linked, 'new.txt'), 'new\n');
    const made = kept(await snapshot(repository, { folder: linked }));
    repository.git('worktree', 'remove', '--force', linked);
    expect(listing(repository, made.ref)).toContain('new.txt');
  });

  it('works in a shallow clone and in a SHA-256 repository', async () => {
    await using origin = await gitRepository();
    origin.write('kept.txt', 'second\n');
    origin.git('commit', '--quiet', '-am', 'second');
    const shallow = join(origin.beside, 'shallow');
    origin.git('clone', '--quiet', '--depth=1', `file://${origin.path}`, shallow);
    writeFileSync(join(shallow, 'kept.txt'), 'third\n');
    const request = { folder: shallow, ref: REF, message: 'm' };
    expect(await snapshotWorkTree(origin.hardened, request)).toMatchObject({ type: 'kept', changedFiles: 1 });
    await using long = await gitRepository({ initArgs: ['--object-format=sha256'] });
    long.write('kept.txt', 'second\n');
    expect(kept(await snapshot(long)).commit).toHaveLength(64);
  });

  it('is of the given folder, whatever GIT_DIR and the like contain', async () => {
    await using repository = await gitRepository();
    await using other = await gitRepository();
    repository.write('kept.txt', 'second\n');
    const before = other.state();
    const env = {
      ...repository.env,
      GIT_DIR: join(other.path, '.git'),
      GIT_WORK_TREE: other.path,
      GIT_INDEX_FILE: '/none',
    };
    const git = openGit({ processes: spawnProcesses(), env });
    const made = await snapshotWorkTree(git, { folder: repository.path, ref: REF, message: 'm' });
    expect(made).toMatchObject({ type: 'kept' });
    expect(other.state()).toEqual(before);
    expect(other.git('for-each-ref', 'refs/stopgate')).toBe('');
  });

  it('needs no name or address of a user', async () => {
    await using repository = await gitRepository();
    writeFileSync(join(repository.beside, '.gitconfig'), '[user]\nuseConfigOnly = true\n');
    repository.write('kept.txt', 'second\n');
    kept(await snapshot(repository));
  });

  it('leaves no temporary files', async () => {
    await using repository = await gitRepository();
    const { TMPDIR } = process.env;
    process.env.TMPDIR = repository.beside;
    try {
      const before = readdirSync(repository.beside);
      repository.write('kept.txt', 'second\n');
      const made = await snapshotWorkTree(repository.hardened, { folder: repository.path, ref: REF, message: 'm' });
      expect(made.type).toBe('kept');
      expect(readdirSync(repository.beside)).toEqual(before);
    } finally {
      process.env.TMPDIR = TMPDIR;
    }
  });
});

describe('where a snapshot is not possible', () => {
  it('reports that a folder is not in a repository, is a bare one, or does not exist', async () => {
    await using repository = await gitRepository();
    const take = (folder: string) => snapshotWorkTree(repository.hardened, { folder, ref: REF, message: 'm' });
    await using plain = await tempFolder();
    expect(await take(plain.path)).toEqual({
      type: 'notARepository',
      reason: `${plain.path} is not in a git repository.`,
    });
    const bare = join(repository.beside, 'bare.git');
    repository.git('clone', '--quiet', '--bare', repository.path, bare);
    expect(await take(bare)).toMatchObject({ type: 'notARepository', reason: expect.stringContaining('bare') });
    expect(await take(join(repository.path, '.git'))).toMatchObject({ type: 'notARepository' });
    expect(await take('/nowhere/at/all')).toEqual({ type: 'failed', reason: 'There is no folder /nowhere/at/all.' });
  });

  it('reports that git is missing', async () => {
    await using repository = await gitRepository();
    const git = openGit({ processes: spawnProcesses(), env: { PATH: '/nowhere' } });
    const made = await snapshotWorkTree(git, { folder: repository.path, ref: REF, message: 'm' });
    expect(made).toEqual({ type: 'failed', reason: 'Git is not installed, or not on PATH.' });
  });

  it('never writes a branch or a tag', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'second\n');
    for (const ref of ['refs/heads/main', 'refs/tags/x', 'HEAD', 'main']) {
      expect(await snapshot(repository, { ref })).toMatchObject({ type: 'failed' });
    }
    expect(await snapshot(repository, { ref: 'refs/stopgate/a..b' })).toMatchObject({ type: 'failed' });
  });

  it('refuses a folder that is not the top when it must be', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'second\n');
    const made = await snapshot(repository, { folder: join(repository.path, 'folder'), mustBeTopLevel: true });
    expect(made).toMatchObject({ type: 'notARepository', reason: expect.stringContaining('belongs to') });
  });

  it('is stopped by its signal', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'second\n');
    const git = openGit({ processes: spawnProcesses(), env: repository.env, signal: AbortSignal.abort() });
    const made = await snapshotWorkTree(git, { folder: repository.path, ref: REF, message: 'm' });
    expect(made).toMatchObject({ type: 'failed', reason: expect.stringContaining('interrupted') });
  });
});

describe('odd files', () => {
  it('keeps names with newlines, quotes, spaces, dashes and bytes that are not UTF-8', async () => {
    await using repository = await gitRepository();
    repository.git('config', 'core.quotePath', 'false');
    const names = [
      'a\nb',
      'say "x".txt',
      ' lead and trail ',
      '-rf',
      '--help',
      'tab\there',
      'ünï',
      'back\\slash',
      ':(top)x',
      '*',
    ];
    for (const name of names) repository.write(name, `${name}!`);
    writeFileSync(Buffer.concat([Buffer.from(`${repository.path}/bad`), Buffer.of(0xff, 0xfe)]), 'bytes');
    const made = kept(await snapshot(repository));
    expect(made).toMatchObject({ changedFiles: names.length + 1, leftOut: [] });
    const all = repository.git('-c', 'core.quotePath=true', 'ls-tree', '-r', '--name-only', REF).split('\n');
    expect(all).toEqual(expect.arrayContaining(['"bad\\377\\376"', '"a\\nb"', '-rf', '":(top)x"'.replaceAll('"', '')]));
  });

  it('keeps dangling links, binary files, modes, and files that became folders, links, or the other way round', async () => {
    await using repository = await gitRepository();
    repository.write('was-folder/file.txt', 'x');
    repository.write('was-link-target/file.txt', 'x');
    repository.write('was-file', 'x');
    repository.git('add', '-A');
    repository.git('commit', '--quiet', '-m', 'more');
    rmSync(join(repository.path, 'was-folder'), { recursive: true });
    repository.write('was-folder', 'now a file');
    rmSync(join(repository.path, 'was-link-target'), { recursive: true });
    symlinkSync('folder', join(repository.path, 'was-link-target'));
    rmSync(join(repository.path, 'was-file'));
    repository.write('was-file/now', 'a folder');
    symlinkSync('/nowhere', join(repository.path, 'dangling'));
    repository.write('binary', Buffer.from([0, 255, 10, 13, 0]));
    chmodSync(join(repository.path, 'kept.txt'), 0o755);
    const made = kept(await snapshot(repository));
    expect(made.leftOut).toEqual([]);
    const tree = repository.git('ls-tree', '-r', '--format=%(objectmode) %(path)', REF).trimEnd().split('\n');
    expect(tree).toEqual([
      '100644 .gitignore',
      '100644 binary',
      '120000 dangling',
      '100644 folder/other.txt',
      '100755 kept.txt',
      '100644 was-file/now',
      '100644 was-folder',
      '120000 was-link-target',
    ]);
  });

  it('is not stopped by a file that changes while it is read', async () => {
    await using repository = await gitRepository();
    repository.write('quiet.txt', 'x\n');
    const script = 'while :; do : > busy.bin; head -c 3000000 /dev/zero > busy.bin; done';
    const stop = new AbortController();
    const writer = spawnProcesses().start({
      file: 'sh',
      args: ['-c', script],
      cwd: repository.path,
      env: repository.env,
      maxOutputBytes: 1000,
      signal: stop.signal,
    });
    const request = { folder: repository.path, ref: REF, message: 'm' };
    for (let round = 0; round < 5; round++) {
      const made = kept(await snapshotWorkTree(repository.hardened, request));
      expect(made.leftOut.every(({ path }) => path === 'busy.bin')).toBe(true);
    }
    stop.abort();
    await writer.ended;
    expect(listing(repository, REF)).toContain('quiet.txt');
  });

  it('leaves out and names pipes and the like in place of a tracked file', async () => {
    await using repository = await gitRepository();
    rmSync(join(repository.path, 'kept.txt'));
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [join(repository.path, 'kept.txt'), join(repository.path, 'untracked-pipe')]);
    repository.write('new.txt', 'new\n');
    const made = kept(await snapshot(repository));
    expect(made.leftOut).toEqual([
      { path: 'kept.txt', reason: 'a named pipe, not a file', isEmpty: true },
      { path: 'untracked-pipe', reason: 'a named pipe, not a file', isEmpty: true },
    ]);
    expect(listing(repository, REF)).toContain('new.txt');
  });

  it('leaves out and names what is too large, or too much, and keeps the small files', async () => {
    await using repository = await gitRepository();
    const { truncateSync } = await import('node:fs');
    for (const name of ['big.bin', 'half-a.bin', 'half-b.bin', 'small.txt']) repository.write(name, 'x');
    truncateSync(join(repository.path, 'big.bin'), 2_100_000_000);
    truncateSync(join(repository.path, 'half-a.bin'), 600_000);
    truncateSync(join(repository.path, 'half-b.bin'), 600_001);
    const made = kept(await snapshot(repository, { limits: { totalBytes: 1_000_000 } }));
    expect(made.leftOut).toEqual([
      { path: 'half-b.bin', reason: '600 KB, over 1 MB for all untracked files together' },
      { path: 'big.bin', reason: '2.1 GB, over 50 MB for one untracked file' },
    ]);
    expect(listing(repository, REF)).toEqual(expect.arrayContaining(['half-a.bin', 'small.txt']));
    expect(repository.git('log', '-1', '--format=%b', REF)).toContain('left out big.bin: 2.1 GB, over 50 MB');
  });

  it('reports that a single file that is too large was not kept', async () => {
    await using repository = await gitRepository();
    repository.write('big.bin', 'too large');
    const made = await snapshot(repository, { limits: { fileBytes: 3 } });
    expect(made).toMatchObject({ type: 'nothingToKeep', leftOut: [{ path: 'big.bin' }] });
  });

  it('bounds how many untracked files it takes, never what is tracked', async () => {
    await using repository = await gitRepository();
    mkdirSync(join(repository.path, 'many'));
    for (let file = 0; file < 30; file++) repository.write(`many/${file}`, 'x');
    repository.write('kept.txt', 'second\n');
    const made = kept(await snapshot(repository, { limits: { files: 10, fileBytes: 5 } }));
    expect(made).toMatchObject({
      changedFiles: 11,
      leftOut: [{ path: '20 more untracked files', reason: 'over 10 of them' }],
    });
  });
});
