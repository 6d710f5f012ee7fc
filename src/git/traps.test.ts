import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TrapRepository, trapRepository } from '../../tests/support/trapRepository.ts';
import { spawnProcesses } from '../system/spawnProcesses.ts';
import { commitsSince } from './commitsSince.ts';
import { commitWork } from './commitWork.ts';
import { openGit } from './git.ts';
import { presentFiles } from './presentFiles.ts';
import { snapshotWorkTree } from './snapshotWorkTree.ts';
import { treeDigest } from './treeDigest.ts';
import { findWorkTree } from './workTree.ts';
import { addWorktree, removeWorktree } from './worktrees.ts';

const REF = 'refs/stopgate/wip/one';

/** Each of our own ways to use git, as `launch`, `restore`, workers and checks call it. */
const OWN: Readonly<Record<string, (repository: TrapRepository) => Promise<unknown>>> = {
  'the digest of the files': ({ hardened, path }) => treeDigest(hardened, { folder: path }),
  'the digest with a record of our own': ({ hardened, path, beside }) =>
    treeDigest(hardened, { folder: path, mirrors: join(beside, 'mirrors') }),
  'a snapshot': ({ hardened, path }) => snapshotWorkTree(hardened, { folder: path, ref: REF, message: 'm' }),
  'the present tree': async ({ hardened, path }) => {
    const workTree = await findWorkTree(hardened, path);
    return workTree.type === 'workTree' ? presentFiles(hardened, workTree) : undefined;
  },
  'a commit of the work': ({ hardened, path }) =>
    commitWork(hardened, { folder: path, message: 'm', fallbackRef: REF, allowDefaultBranch: true }),
  'a worktree, added and removed': async ({ hardened, path, beside }) => {
    const place = { folder: path, path: join(beside, 'tree'), branch: 'stopgate/tree' };
    const added = await addWorktree(hardened, place);
    await removeWorktree(hardened, { path: place.path, ref: REF, message: 'm' });
    return added;
  },
  'commits since': ({ hardened, path, git }) =>
    commitsSince(hardened, { folder: path, base: git('rev-parse', 'HEAD~1').trim() }),
  'the state for a prompt': async ({ hardened, path }) => {
    await hardened.run({ folder: path, args: ['log', '--oneline', '-5'] });
    return await hardened.run({ folder: path, args: ['status', '--short', '--branch', '--ignore-submodules=dirty'] });
  },
};

describe('a repository full of traps', () => {
  it('has traps that work: plain git runs them', async () => {
    await using repository = await trapRepository();
    const plain = (...args: readonly string[]) => {
      try {
        execFileSync('git', args, { cwd: repository.path, env: repository.env, stdio: 'ignore', timeout: 20_000 });
      } catch {
        // some traps end the command
      }
    };
    plain('status');
    plain('diff');
    plain('log', '-p', '-5', '--remerge-diff');
    plain('blame', 'file.conv');
    plain('add', '-A');
    const sprung = repository.sprung();
    const configured = ['filter-trap-clean', 'diff-external', 'core-fsmonitor', 'gpg-program', 'merge-trap-driver'];
    const more = ['filter-proc-process', 'diff-conv-textconv', 'includedClean', 'moduleClean', 'moduleFsmonitor'];
    expect(sprung).toEqual(expect.arrayContaining([...configured, ...more]));
  });

  it.each(Object.entries(OWN))('springs none of them for %s', async (_name, use) => {
    await using repository = await trapRepository();
    await use(repository);
    expect(repository.sprung()).toEqual([]);
  });

  it('springs none by a program in the project that PATH would find first', async () => {
    await using repository = await trapRepository();
    const { path, env } = repository;
    const PATH = ['bin', './bin', '', join(path, 'bin'), join(path, 'module/../bin'), env.PATH].join(':');
    const processes = spawnProcesses({ env });
    const git = openGit({ processes, env: { ...env, PATH } });
    expect(await git.run({ folder: join(path, 'folder'), args: ['rev-parse', 'HEAD'] })).toMatchObject({
      type: 'done',
    });
    await processes.endAll();
    expect(repository.sprung()).toEqual([]);
  });
});
