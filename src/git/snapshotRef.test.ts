import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../tests/support/gitRepository.ts';
import { findKeptState, listKeptStates } from './restore/keptStates.ts';
import { planRestore } from './restore/planRestore.ts';
import { restoreWork } from './restore/restoreWork.ts';
import { recoverCommand, snapshotRef } from './snapshotRef.ts';
import { snapshotWorkTree } from './snapshotWorkTree.ts';
import { findWorkTree } from './workTree.ts';

describe('the ref of a snapshot', () => {
  it.each([
    ['task-7.2_a', 'refs/stopgate/wip/task-7.2_a'],
    ['a b/c~^:?*[\\@{', 'refs/stopgate/wip/a-b-c-'],
    ['../../heads/main', 'refs/stopgate/wip/heads-main'],
    ['x..y.lock', 'refs/stopgate/wip/x.y'],
    ['', 'refs/stopgate/wip/unnamed'],
  ])('%j is %s', async (id, ref) => {
    expect(snapshotRef(id)).toBe(ref);
    execFileSync('git', ['check-ref-format', ref]);
  });
});

/** What the command does, without the command line around it. */
async function recover({ hardened, path }: GitRepository, command: string): Promise<void> {
  const [, wanted = ''] = /^stopgate restore (\S+)$/.exec(command) ?? [];
  const listed = await listKeptStates(hardened, path);
  const states = listed.type === 'listed' ? listed.states : [];
  const [workTree, found] = await Promise.all([
    findWorkTree(hardened, path),
    findKeptState(hardened, path, { states, wanted }),
  ]);
  if (workTree.type !== 'workTree' || found.type !== 'found') return expect.unreachable(command);
  const request = { workTree, state: found.state, isWanted: () => true, mayOverwrite: () => true };
  const plan = await planRestore(hardened, request);
  if (plan.type === 'failed') return expect.unreachable(plan.reason);
  await using planned = plan;
  expect(await restoreWork(hardened, request, { planned, undoId: 'undo' })).toMatchObject({ type: 'restored' });
}

/** Every kind of change, as a user or an agent leaves them. */
function work(repository: GitRepository): void {
  const at = (name: string) => join(repository.path, name);
  repository.write('kept.txt', 'changed\n');
  repository.write('added/new.txt', 'new\n');
  rmSync(at('deleted.txt'));
  renameSync(at('old-name.txt'), at('new-name.txt'));
  chmodSync(at('script.sh'), 0o755);
  symlinkSync('kept.txt', at('link'));
  repository.write('binary.bin', Buffer.from([0, 1, 255, 13, 10, 0]));
  repository.write("it's odd.txt", 'odd\n');
}

async function prepared() {
  const repository = await gitRepository();
  for (const name of ['deleted.txt', 'old-name.txt', 'script.sh']) repository.write(name, `${name}\n`);
  repository.git('add', '-A');
  repository.git('commit', '--quiet', '-m', 'more');
  return repository;
}

function expectWork({ path }: GitRepository): void {
  const text = (name: string) => readFileSync(join(path, name), 'utf8');
  expect(text('kept.txt')).toBe('changed\n');
  expect(text('added/new.txt')).toBe('new\n');
  expect(existsSync(join(path, 'deleted.txt'))).toBe(false);
  expect(existsSync(join(path, 'old-name.txt'))).toBe(false);
  expect(text('new-name.txt')).toBe('old-name.txt\n');
  expect(statSync(join(path, 'script.sh')).mode & 0o100).toBe(0o100);
  expect(readlinkSync(join(path, 'link'))).toBe('kept.txt');
  expect(readFileSync(join(path, 'binary.bin'))).toEqual(Buffer.from([0, 1, 255, 13, 10, 0]));
  expect(text("it's odd.txt")).toBe('odd\n');
}

async function keepWork(repository: GitRepository): Promise<string> {
  const ref = snapshotRef('one');
  const made = await snapshotWorkTree(repository.hardened, { folder: repository.path, ref, message: 'm' });
  return made.type === 'kept' ? made.recover : expect.unreachable(JSON.stringify(made));
}

describe('the command that restores a snapshot', () => {
  it('restores every kind of change and leaves branch, index and other files alone', async () => {
    await using repository = await prepared();
    work(repository);
    const after = repository.state();
    const command = await keepWork(repository);
    repository.git('reset', '--quiet', '--hard');
    repository.git('clean', '--quiet', '-fd');
    repository.write('later.txt', 'made since\n');
    await recover(repository, command);
    expectWork(repository);
    expect(readFileSync(join(repository.path, 'later.txt'), 'utf8')).toBe('made since\n');
    rmSync(join(repository.path, 'later.txt'));
    const { index: _, ...rest } = repository.state();
    expect(rest).toEqual({ ...after, index: undefined, ...rest });
    expect(rest.status).toBe(after.status);
    expect(rest.branches).toBe(after.branches);
  });

  it('restores after the branch has moved', async () => {
    await using repository = await prepared();
    work(repository);
    const command = await keepWork(repository);
    repository.git('reset', '--quiet', '--hard');
    repository.git('clean', '--quiet', '-fd');
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'later');
    const { branches } = repository.state();
    await recover(repository, command);
    expectWork(repository);
    expect(repository.state().branches).toBe(branches);
  });

  it('restores before the first commit', async () => {
    await using repository = await gitRepository({ isEmpty: true });
    repository.write('new.txt', 'new\n');
    const command = await keepWork(repository);
    rmSync(join(repository.path, 'new.txt'));
    await recover(repository, command);
    expect(readFileSync(join(repository.path, 'new.txt'), 'utf8')).toBe('new\n');
  });

  it('restores in the middle of a merge with conflicts', async () => {
    await using repository = await gitRepository();
    repository.git('checkout', '--quiet', '-b', 'side');
    repository.write('kept.txt', 'side\n');
    repository.git('commit', '--quiet', '-am', 'side');
    repository.git('checkout', '--quiet', 'main');
    repository.write('kept.txt', 'main\n');
    repository.git('commit', '--quiet', '-am', 'main');
    expect(() => repository.git('merge', 'side')).toThrow();
    repository.write('kept.txt', 'half resolved\n');
    const command = await keepWork(repository);
    repository.write('kept.txt', 'spoiled\n');
    await recover(repository, command);
    expect(readFileSync(join(repository.path, 'kept.txt'), 'utf8')).toBe('half resolved\n');
    expect(repository.git('ls-files', '--unmerged')).toContain('kept.txt');
  });

  it('is one line that a shell reads as meant', () => {
    expect(recoverCommand('refs/stopgate/wip/x')).toBe('stopgate restore x');
    expect(recoverCommand('refs/stopgate/wip/x', "it's here")).toBe("cd 'it'\\''s here' && stopgate restore x");
  });
});
