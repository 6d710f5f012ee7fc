import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../tests/support/gitRepository.ts';
import { forgedGraph } from '../../tests/support/otherParents.ts';
import { commitsSince } from './commitsSince.ts';
import { commitWork } from './commitWork.ts';
import { addWorktree, removeWorktree, worktreePlace } from './worktrees.ts';

const REF = 'refs/stopgate/wip/7';

const place = ({ path, beside }: GitRepository) => worktreePlace(join(beside, 'stopgate'), path, '7');

async function withWorktree() {
  const repository = await gitRepository();
  const added = await addWorktree(repository.hardened, { folder: repository.path, ...place(repository) });
  return Object.assign(repository, { added, linked: place(repository).path });
}

const remove = ({ hardened }: GitRepository, path: string) =>
  removeWorktree(hardened, { path, ref: REF, message: 'm' });

describe('the place of a worktree', () => {
  it.each([
    ['/home/a/My Project', 'task/7', '/h/worktrees/My-Project-task-7', 'sg/task-7'],
    ['/home/a/.hidden', '../x', '/h/worktrees/hidden-x', 'sg/x'],
    ['/', '', '/h/worktrees/repository-unnamed', 'sg/unnamed'],
  ])('%s, %s', (topLevel, id, path, branch) => {
    expect(worktreePlace('/h', topLevel, id)).toEqual({ path, branch });
  });
});

describe('a worktree of our own', () => {
  it('starts a branch from HEAD and leaves the first one alone', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'not committed\n');
    const before = repository.state();
    const base = repository.git('rev-parse', 'HEAD').trim();
    const { path, branch } = place(repository);
    const added = await addWorktree(repository.hardened, { folder: join(repository.path, 'folder'), path, branch });
    expect(added).toEqual({ type: 'added', path, branch: 'sg/7', base });
    expect(readFileSync(join(path, 'kept.txt'), 'utf8')).toBe('first\n');
    expect(repository.state()).toMatchObject({ head: before.head, index: before.index, status: before.status });
  });

  it('is refused where it cannot be', async () => {
    await using repository = await withWorktree();
    const { path, branch } = place(repository);
    const again = await addWorktree(repository.hardened, { folder: repository.path, path: `${path}-2`, branch });
    expect(again).toMatchObject({ type: 'failed', reason: expect.stringContaining("'sg/7' already exists") });
    const there = await addWorktree(repository.hardened, { folder: repository.path, path, branch: 'sg/8' });
    expect(there).toMatchObject({ type: 'failed', reason: expect.stringContaining('already exists') });
    await using empty = await gitRepository({ isEmpty: true });
    const early = await addWorktree(empty.hardened, { folder: empty.path, ...place(empty) });
    expect(early).toMatchObject({ type: 'failed', reason: expect.stringContaining('no commit yet') });
    const nowhere = await addWorktree(empty.hardened, { folder: empty.beside, ...place(empty) });
    expect(nowhere).toMatchObject({ type: 'notARepository' });
  });

  it('gets its work committed on its branch, and is then removed; branch and commits stay', async () => {
    await using repository = await withWorktree();
    writeFileSync(join(repository.linked, 'new.txt'), 'work\n');
    const message = 'Attempt 7';
    const request = { folder: repository.linked, message, fallbackRef: REF, branch: 'sg/7' };
    expect(await commitWork(repository.hardened, request)).toMatchObject({ type: 'committed', branch: 'sg/7' });
    const base = repository.added.type === 'added' ? repository.added.base : expect.unreachable();
    expect(await commitsSince(repository.hardened, { folder: repository.linked, base })).toMatchObject({
      total: 1,
      commits: [{ subject: message }],
    });
    expect(await remove(repository, repository.linked)).toEqual({ type: 'removed', kept: undefined });
    expect(existsSync(repository.linked)).toBe(false);
    expect(repository.git('show', 'sg/7:new.txt')).toBe('work\n');
    expect(repository.git('worktree', 'list').trimEnd().split('\n')).toHaveLength(1);
  });

  it('is removed with uncommitted work only after that is kept', async () => {
    await using repository = await withWorktree();
    writeFileSync(join(repository.linked, 'new.txt'), 'work\n');
    expect(await remove(repository, repository.linked)).toMatchObject({ type: 'removed', kept: { ref: REF } });
    expect(repository.git('show', `${REF}:new.txt`)).toBe('work\n');
  });

  it('stays when something in it could not be kept', async () => {
    await using repository = await withWorktree();
    repository.git('init', '--quiet', join(repository.linked, 'found'));
    writeFileSync(join(repository.linked, 'found/x.txt'), 'x');
    const made = await remove(repository, repository.linked);
    expect(made).toMatchObject({ type: 'stays', reason: expect.stringContaining('left out found') });
    expect(existsSync(repository.linked)).toBe(true);
  });

  it('stays when its commits are on no branch', async () => {
    await using repository = await withWorktree();
    repository.git('-C', repository.linked, 'checkout', '--quiet', '--detach');
    repository.git('-C', repository.linked, 'commit', '--quiet', '--allow-empty', '-m', 'lost');
    expect(await remove(repository, repository.linked)).toMatchObject({
      type: 'stays',
      reason: expect.stringContaining('no branch has'),
    });
  });

  it('stays when its commits are on a branch only by a forged commit graph', async () => {
    await using repository = await withWorktree();
    const { git, linked, path: dir } = repository;
    git('commit', '--quiet', '--allow-empty', '-m', 'second');
    git('-C', linked, 'checkout', '--quiet', '-b', 'seen');
    git('-C', linked, 'commit', '--quiet', '--allow-empty', '-m', 'lost');
    const [work = '', parent = ''] = git('rev-parse', 'seen', 'main~1').trim().split('\n');
    forgedGraph({ dir, git }, { of: parent, to: work });
    git('-C', linked, 'checkout', '--quiet', '--detach');
    git('branch', '--quiet', '-D', 'seen');
    expect(await remove(repository, linked)).toMatchObject({ type: 'stays' });
  });

  it('is the only thing that is ever removed', async () => {
    await using repository = await withWorktree();
    expect(await remove(repository, repository.path)).toMatchObject({ type: 'stays' });
    expect(await remove(repository, join(repository.linked, 'folder'))).toMatchObject({ type: 'failed' });
    expect(await remove(repository, '/nowhere')).toMatchObject({ type: 'failed' });
    repository.git('worktree', 'lock', repository.linked);
    expect(await remove(repository, repository.linked)).toMatchObject({ type: 'failed' });
    expect([existsSync(repository.path), existsSync(repository.linked)]).toEqual([true, true]);
  });
});

describe('commits since', () => {
  it('are newest first, bounded and counted; all of them without a base', async () => {
    await using repository = await gitRepository();
    const base = repository.git('rev-parse', 'HEAD').trim();
    for (const subject of ['one', 'two', 'three "x"'])
      repository.git('commit', '--quiet', '--allow-empty', '-m', subject);
    const since = (from: string | undefined, limit = 20) =>
      commitsSince(repository.hardened, { folder: repository.path, base: from, limit });
    expect(await since(base, 2)).toMatchObject({ total: 3, commits: [{ subject: 'three "x"' }, { subject: 'two' }] });
    expect(await since(undefined)).toMatchObject({ total: 4 });
    expect(await since('0'.repeat(40))).toMatchObject({ type: 'failed' });
    await using empty = await gitRepository({ isEmpty: true });
    expect(await commitsSince(empty.hardened, { folder: empty.path, base: undefined })).toMatchObject({ total: 0 });
  });
});
