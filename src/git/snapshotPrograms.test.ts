import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../tests/support/gitRepository.ts';
import { snapshotWorkTree } from './snapshotWorkTree.ts';
import { treeDigest } from './treeDigest.ts';

const REF = 'refs/stopgate/wip/one';
const take = (repository: GitRepository) =>
  snapshotWorkTree(repository.hardened, { folder: repository.path, ref: REF, message: 'm' });

const HOOKS = ['pre-commit', 'commit-msg', 'post-commit', 'reference-transaction', 'post-index-change', 'pre-auto-gc'];

/** Leaves a mark and fails, wherever it is run from. */
function trap(repository: GitRepository, name: string): { readonly path: string; readonly mark: string } {
  const [path, mark] = [join(repository.beside, name), join(repository.beside, `${name}.ran`)];
  writeFileSync(path, `#!/bin/sh\ntouch '${mark}'\nexit 1\n`);
  chmodSync(path, 0o755);
  return { path, mark };
}

describe('programs that a repository names', () => {
  it('do not run: hooks that fail, monitors, signers, editors', async () => {
    await using repository = await gitRepository();
    const { path, mark } = trap(repository, 'program');
    for (const hook of HOOKS) {
      const file = join(repository.path, '.git/hooks', hook);
      mkdirSync(join(repository.path, '.git/hooks'), { recursive: true });
      writeFileSync(file, `#!/bin/sh\n${path}\n`);
      chmodSync(file, 0o755);
    }
    for (const key of [
      'core.fsmonitor',
      'gpg.program',
      'core.editor',
      'core.pager',
      'diff.external',
      'core.sshCommand',
    ]) {
      repository.git('config', key, path);
    }
    repository.git('config', 'commit.gpgSign', 'true');
    repository.write('kept.txt', 'second\n');
    expect(await take(repository)).toMatchObject({ type: 'kept' });
    expect(await treeDigest(repository.hardened, { folder: repository.path })).toMatchObject({ type: 'digest' });
    expect(existsSync(mark)).toBe(false);
  });

  it('do not convert what is kept: the bytes of the file are stored, not what git add would store', async () => {
    await using repository = await gitRepository({ isTrusted: true });
    repository.git('config', 'filter.seal.clean', 'tr a-z A-Z');
    repository.git('config', 'filter.seal.required', 'true');
    repository.write('.gitattributes', '*.sealed filter=seal\n');
    repository.write('a.sealed', 'secret\n');
    expect(await take(repository)).toMatchObject({ type: 'kept', notes: [] });
    expect(repository.git('show', `${REF}:a.sealed`)).toBe('secret\n');
  });

  it('do not run at all, whichever configuration names them', async () => {
    await using repository = await gitRepository();
    const [own, users] = [trap(repository, 'filter'), trap(repository, 'global')];
    repository.git('config', 'filter.seal.clean', own.path);
    repository.git('config', '--global', 'filter.other.clean', users.path);
    repository.write('.gitattributes', '*.sealed filter=seal\n*.other filter=other\n');
    repository.write('a.sealed', 'secret\n');
    repository.write('a.other', 'secret\n');
    expect(await take(repository)).toMatchObject({ type: 'kept' });
    expect([existsSync(own.mark), existsSync(users.mark)]).toEqual([false, false]);
    expect(repository.git('show', `${REF}:a.sealed`)).toBe('secret\n');
  });

  it.each([true, false])('cost no work when a required filter fails (the file is tracked: %s)', async (isTracked) => {
    await using repository = await gitRepository({ isTrusted: true });
    repository.write('.gitattributes', '*.big filter=lfs\n');
    repository.write('a.big', isTracked ? 'small\n' : 'raw content\n');
    if (isTracked) {
      repository.git('add', '-A');
      repository.git('commit', '--quiet', '-m', 'big');
      repository.write('a.big', 'raw content\n');
    }
    repository.git('config', 'filter.lfs.clean', 'no-such-program clean');
    repository.git('config', 'filter.lfs.process', 'no-such-program process');
    repository.git('config', 'filter.lfs.required', 'true');
    const made = await take(repository);
    expect(made).toMatchObject({ type: 'kept', leftOut: [] });
    expect(repository.git('show', `${REF}:a.big`)).toBe('raw content\n');
  });

  it('do not run from a repository that lies in the worktree', async () => {
    await using repository = await gitRepository();
    const { path, mark } = trap(repository, 'filter');
    const inner = join(repository.path, 'inner');
    repository.git('init', '--quiet', inner);
    repository.git('-C', inner, 'config', 'filter.x=y.clean', path);
    repository.git('-C', inner, 'config', 'filter.x=y.required', 'true');
    repository.write('inner/.gitattributes', '* filter=x=y\n');
    repository.write('inner/file.txt', 'x\n');
    expect(await take(repository)).toMatchObject({ inside: [{ path: 'inner', snapshot: { type: 'kept' } }] });
    expect(existsSync(mark)).toBe(false);
    expect(repository.git('-C', inner, 'show', `${REF}:file.txt`)).toBe('x\n');
  });

  it('do not run from a bare repository that came along as files', async () => {
    await using repository = await gitRepository();
    const { path, mark } = trap(repository, 'monitor');
    repository.git('init', '--quiet', '--bare', join(repository.path, 'vendor'));
    writeFileSync(
      join(repository.path, 'vendor/config'),
      `[core]\nbare = false\nworktree = ..\n[filter "x"]\nclean = ${path}\n`,
    );
    repository.write('.gitattributes', '* filter=x\n');
    const folder = join(repository.path, 'vendor');
    const made = await snapshotWorkTree(repository.hardened, { folder, ref: REF, message: 'm' });
    expect(made).toMatchObject({ type: 'notARepository' });
    const status = await repository.hardened.run({ folder, args: ['status', '--short'] });
    expect(status).toMatchObject({ type: 'failed', stderr: expect.stringContaining('cannot use bare repository') });
    expect(existsSync(mark)).toBe(false);
  });
});
