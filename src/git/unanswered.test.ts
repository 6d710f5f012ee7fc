import { describe, expect, it } from 'vitest';
import { gitRepository } from '../../tests/support/gitRepository.ts';
import { headTree } from './commitObject.ts';
import { commitWork } from './commitWork.ts';
import type { Git, GitEnd } from './git.ts';
import { snapshotWorkTree } from './snapshotWorkTree.ts';
import { findWorkTree } from './workTree.ts';

const REASON = 'git did not end in time and was stopped.';
const STOPPED: GitEnd = { type: 'failed', reason: REASON, stderr: '', wasCutShort: false };

/** On a machine that is too busy: git is stopped after its time when its command has this word. */
const busy = (git: Git, word: string): Git => ({
  ...git,
  run: async (command) => (command.args.some((arg) => arg.includes(word)) ? STOPPED : git.run(command)),
});

describe('a git that does not answer', () => {
  it('is not a repository without commits', async () => {
    await using repository = await gitRepository();
    const found = await findWorkTree(busy(repository.hardened, 'HEAD^{commit}'), repository.path);
    expect(found).toEqual({ type: 'failed', reason: REASON });
  });

  it('gives no empty name of a tree', async () => {
    await using repository = await gitRepository();
    const found = await findWorkTree(repository.hardened, repository.path);
    if (found.type !== 'workTree') throw new Error(found.reason);
    await expect(headTree(busy(repository.hardened, '^{tree}'), found)).rejects.toThrow(REASON);
  });

  it('lets a snapshot fail with what happened, and the repository as it was', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'changed\n');
    const before = repository.state();
    const request = { folder: repository.path, ref: 'refs/stopgate/x', message: 'm', from: 'a test' };
    const kept = await snapshotWorkTree(busy(repository.hardened, '^{tree}'), request);
    expect(kept).toEqual({ type: 'failed', reason: REASON });
    expect(repository.state()).toEqual(before);
  });

  it('lets no work be committed that may have conflicts', async () => {
    await using repository = await gitRepository();
    repository.write('kept.txt', 'changed\n');
    repository.git('checkout', '--quiet', '-b', 'work');
    const request = { folder: repository.path, message: 'm', from: 'a test', fallbackRef: 'refs/stopgate/x' };
    const work = await commitWork(busy(repository.hardened, '--unmerged'), { ...request, allowDefaultBranch: false });
    expect(work).toMatchObject({ type: 'snapshotInstead', reason: REASON, snapshot: { type: 'kept' } });
  });
});
