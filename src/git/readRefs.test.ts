import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../tests/support/gitRepository.ts';
import { readRefs } from './readRefs.ts';

const listed = (git: GitRepository['git']) =>
  new Map(
    git('for-each-ref', '--format=%(refname) %(objectname) %(symref)')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [name = '', object = '', target = ''] = line.split(' ');
        return [name, target === '' ? object : `ref: ${target}`];
      }),
  );

function fill({ git }: GitRepository): void {
  git('tag', 'plain');
  git('tag', '-a', '-m', 'words', 'annotated');
  git('branch', 'deep/er/branch');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  git('update-ref', 'refs/stopgate/wip/one', 'HEAD');
}

describe.concurrent('refs', () => {
  it('are those that git lists, packed or not, and in a linked worktree', async () => {
    await using repository = await gitRepository();
    const { path, beside, git } = repository;
    fill(repository);
    const commonDir = join(path, '.git');
    const refs = () => readRefs(commonDir, commonDir);
    const all = listed(git);
    expect(all.size).toBe(7);
    expect(refs()).toEqual(all);
    git('pack-refs', '--all');
    expect(refs()).toEqual(all);
    git('tag', '-d', 'plain');
    git('commit', '--quiet', '--allow-empty', '-m', 'next');
    git('branch', '-f', 'deep/er/branch');
    git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/heads/main');
    expect(refs()).toEqual(listed(git));
    expect(refs()).not.toEqual(all);
    git('worktree', 'add', '--quiet', '--detach', join(beside, 'linked'));
    git('-C', join(beside, 'linked'), 'update-ref', 'refs/worktree/own', 'HEAD');
    const gitDir = git('-C', join(beside, 'linked'), 'rev-parse', '--absolute-git-dir').trim();
    expect(readRefs(gitDir, commonDir)?.get('refs/worktree/own')).toBe(git('rev-parse', 'HEAD').trim());
  });

  it.for<readonly [string, (commonDir: string) => void]>([
    ['of another format', (commonDir) => mkdirSync(join(commonDir, 'reftable'))],
    ['that are links', (commonDir) => symlinkSync('main', join(commonDir, 'refs/heads/link'))],
    ['that are too long', (commonDir) => writeFileSync(join(commonDir, 'refs/heads/long'), 'x'.repeat(10_000))],
    [
      'whose names are not text',
      (commonDir) => writeFileSync(Buffer.from(`${commonDir}/refs/heads/\xff`, 'latin1'), '0'.repeat(40)),
    ],
    [
      'that are too many',
      (commonDir) => {
        const main = readFileSync(join(commonDir, 'refs/heads/main'));
        for (let n = 0; n < 400; n++) writeFileSync(join(commonDir, 'refs/heads', `b${n}`), main);
      },
    ],
  ])('%s are left to git', async ([, act]) => {
    await using repository = await gitRepository();
    const commonDir = join(repository.path, '.git');
    act(commonDir);
    expect(readRefs(commonDir, commonDir)).toBeUndefined();
  });
});
