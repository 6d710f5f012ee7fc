import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../tests/support/gitRepository.ts';
import { type CommitWorkRequest, commitWork } from './commitWork.ts';

const REF = 'refs/stopgate/wip/one';

const commit = ({ hardened, path }: GitRepository, request: Partial<CommitWorkRequest> = {}) =>
  commitWork(hardened, { folder: path, message: 'The work of a test', fallbackRef: REF, ...request });

async function onSide() {
  const repository = await gitRepository();
  repository.git('checkout', '--quiet', '-b', 'side');
  return repository;
}

describe('committing work', () => {
  it('puts everything on the branch, with the user as author, and leaves a clean status', async () => {
    await using repository = await onSide();
    const parent = repository.git('rev-parse', 'HEAD').trim();
    repository.write('kept.txt', 'second\n');
    repository.write('new.txt', 'new\n');
    rmSync(join(repository.path, 'folder/other.txt'));
    repository.git('add', 'new.txt');
    const made = await commit(repository, { branch: 'side' });
    expect(made).toMatchObject({ type: 'committed', branch: 'side', parent, changedFiles: 3, leftOut: [], notes: [] });
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(repository.git('log', '-1', '--format=%an|%s|%P')).toBe(`A User|The work of a test|${parent}\n`);
    expect(repository.git('for-each-ref', 'refs/stopgate')).toBe('');
    expect(repository.git('reflog', '-1', '--format=%gs')).toBe('commit: The work of a test\n');
  });

  it('does not run hooks that would fail, and the commit message says so', async () => {
    await using repository = await onSide();
    mkdirSync(join(repository.path, '.git/hooks'), { recursive: true });
    for (const hook of ['pre-commit', 'commit-msg', 'prepare-commit-msg', 'post-commit']) {
      writeFileSync(join(repository.path, '.git/hooks', hook), '#!/bin/sh\ntouch ran\nexit 1\n');
      chmodSync(join(repository.path, '.git/hooks', hook), 0o755);
    }
    repository.write('kept.txt', 'second\n');
    expect(await commit(repository)).toMatchObject({ type: 'committed' });
    expect(existsSync(join(repository.path, 'ran'))).toBe(false);
    expect(repository.git('log', '-1', '--format=%b')).toContain('without running the hooks');
  });

  it('keeps beside the commit what was written to a file that was dropped from git and ignored', async () => {
    await using repository = await onSide();
    repository.write('kept.txt', 'AGENTS-WORK\n');
    repository.git('rm', '--quiet', '--cached', 'kept.txt');
    repository.write('.gitignore', 'ignored/\nkept.txt\n');
    const made = await commit(repository);
    expect(made).toMatchObject({
      type: 'committed',
      notes: ['1 file that git tracked and ignores now: kept beside the commit, stopgate restore one restores them'],
    });
    expect(repository.git('ls-tree', '--name-only', 'HEAD')).not.toContain('kept.txt');
    expect(repository.git('show', `${REF}:kept.txt`)).toBe('AGENTS-WORK\n');
  });

  it('has our name where git knows no user', async () => {
    await using repository = await onSide();
    writeFileSync(join(repository.beside, '.gitconfig'), '');
    repository.write('kept.txt', 'second\n');
    expect(await commit(repository)).toMatchObject({ type: 'committed' });
    expect(repository.git('log', '-1', '--format=%an')).toBe('stopgate\n');
  });

  it('reports that there is nothing to commit', async () => {
    await using repository = await onSide();
    expect(await commit(repository)).toMatchObject({ type: 'nothingToCommit' });
    repository.write('kept.txt', 'second\n');
    repository.git('add', '-A');
    repository.write('kept.txt', 'first\n');
    expect(await commit(repository)).toMatchObject({ type: 'nothingToCommit' });
  });

  it('is the first commit of a repository, if allowed', async () => {
    await using repository = await gitRepository({ isEmpty: true });
    repository.write('new.txt', 'new\n');
    const made = await commit(repository, { allowDefaultBranch: true });
    expect(made).toMatchObject({ type: 'committed', branch: 'main', parent: undefined });
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('names what it left out', async () => {
    await using repository = await onSide();
    repository.write('kept.txt', 'second\n');
    repository.write('big.bin', 'too large');
    const made = await commit(repository, { limits: { fileBytes: 3 } });
    expect(made).toMatchObject({ type: 'committed', changedFiles: 1, leftOut: [{ path: 'big.bin' }] });
    expect(repository.git('status', '--porcelain')).toBe('?? big.bin\n');
  });

  it('reports that a folder is not a repository', async () => {
    await using repository = await gitRepository();
    expect(await commit(repository, { folder: repository.beside })).toMatchObject({ type: 'notARepository' });
  });
});

describe('a snapshot instead of a commit', () => {
  /** How a repository comes into a state where a commit would be wrong. */
  const CASES: readonly (readonly [string, Partial<CommitWorkRequest>, (repository: GitRepository) => void])[] = [
    ['defaultBranch', {}, () => {}],
    ['otherBranch', { branch: 'sg/7' }, ({ git }) => git('checkout', '--quiet', '-b', 'side')],
    ['detachedHead', {}, ({ git }) => git('checkout', '--quiet', '--detach')],
    [
      'indexLocked',
      {},
      ({ git, path }) => {
        git('checkout', '--quiet', '-b', 'side');
        writeFileSync(join(path, '.git/index.lock'), '');
      },
    ],
    [
      'defaultBranch',
      {},
      ({ git, path }) => {
        git('checkout', '--quiet', '-b', 'stable');
        git('remote', 'add', 'origin', path);
        git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/stable');
      },
    ],
    [
      'underWay',
      { allowDefaultBranch: true },
      ({ git, write }) => {
        write('kept.txt', 'stashed\n');
        git('stash', '--quiet');
        write('kept.txt', 'main\n');
        git('commit', '--quiet', '-am', 'main');
        expect(() => git('stash', 'pop')).toThrow();
      },
    ],
    ...(['merge', 'rebase', 'cherry-pick'] as const).map(
      (operation) =>
        [
          'underWay',
          { allowDefaultBranch: true },
          ({ git, write }: GitRepository) => {
            git('checkout', '--quiet', '-b', 'side');
            write('kept.txt', 'side\n');
            git('commit', '--quiet', '-am', 'side');
            git('checkout', '--quiet', 'main');
            write('kept.txt', 'main\n');
            git('commit', '--quiet', '-am', 'main');
            expect(() => git(operation, 'side')).toThrow();
          },
        ] as const,
    ),
  ];

  it.each(CASES)('is taken for the reason %s (%o)', async (why, request, arrange) => {
    await using repository = await gitRepository();
    arrange(repository);
    repository.write('new.txt', 'work\n');
    const before = repository.state();
    const made = await commit(repository, request);
    expect(made).toMatchObject({ type: 'snapshotInstead', why, snapshot: { type: 'kept', ref: REF } });
    expect(repository.state()).toEqual(before);
    expect(repository.git('show', `${REF}:new.txt`)).toBe('work\n');
  });
});
