import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitRepository } from '../../tests/support/gitRepository.ts';
import { snapshotWorkTree } from './snapshotWorkTree.ts';

const REF = 'refs/stopgate/wip/one';

async function withSubmodule() {
  const repository = await gitRepository();
  const library = join(repository.beside, 'library');
  repository.git('clone', '--quiet', repository.path, library);
  repository.git('submodule', '--quiet', 'add', library, 'sub');
  repository.git('commit', '--quiet', '-m', 'submodule');
  return repository;
}

describe('repositories inside a repository', () => {
  it('keep their own work when they are submodules, at the same ref', async () => {
    await using repository = await withSubmodule();
    repository.write('sub/kept.txt', 'changed inside\n');
    repository.write('sub/new.txt', 'new inside\n');
    const before = repository.state();
    const made = await snapshotWorkTree(repository.hardened, { folder: repository.path, ref: REF, message: 'm' });
    expect(made).toMatchObject({
      type: 'nothingToKeep',
      leftOut: [],
      inside: [{ path: 'sub', kind: 'submodule', snapshot: { type: 'kept', ref: REF, changedFiles: 2 } }],
    });
    expect(repository.state()).toEqual(before);
    expect(repository.git('-C', 'sub', 'show', `${REF}:new.txt`)).toBe('new inside\n');
  });

  it('are pointed to where they are now when they moved on', async () => {
    await using repository = await withSubmodule();
    const inner = join(repository.path, 'sub');
    repository.write('sub/kept.txt', 'changed inside\n');
    repository.git('-C', inner, 'commit', '--quiet', '-am', 'inside');
    const made = await snapshotWorkTree(repository.hardened, { folder: repository.path, ref: REF, message: 'm' });
    expect(made).toMatchObject({ type: 'kept', changedFiles: 1, inside: [] });
    expect(repository.git('rev-parse', `${REF}:sub`)).toBe(repository.git('-C', inner, 'rev-parse', 'HEAD'));
  });

  it('are a deletion when their folder is gone, and nothing when they were never fetched', async () => {
    await using repository = await withSubmodule();
    const copy = join(repository.beside, 'copy');
    repository.git('clone', '--quiet', repository.path, copy);
    const request = { ref: REF, message: 'm' };
    expect(await snapshotWorkTree(repository.hardened, { ...request, folder: copy })).toMatchObject({
      type: 'nothingToKeep',
      inside: [],
    });
    rmSync(join(repository.path, 'sub'), { recursive: true });
    const made = await snapshotWorkTree(repository.hardened, { ...request, folder: repository.path });
    expect(made).toMatchObject({ type: 'kept', changedFiles: 1 });
  });

  it('are kept and named when they are not submodules', async () => {
    await using repository = await gitRepository();
    const inner = join(repository.path, 'found "here"');
    repository.git('init', '--quiet', inner);
    writeFileSync(join(inner, 'file.txt'), 'x\n');
    const made = await snapshotWorkTree(repository.hardened, { folder: repository.path, ref: REF, message: 'm' });
    expect(made).toMatchObject({
      type: 'nothingToKeep',
      leftOut: [{ path: 'found "here"', reason: expect.stringContaining(`its work is at ${REF} in it`) }],
      inside: [{ kind: 'repository', snapshot: { type: 'kept' } }],
    });
    expect(repository.git('-C', inner, 'show', `${REF}:file.txt`)).toBe('x\n');
  });
});
