import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../../../tests/support/gitRepository.ts';
import { REMOTE_LIMITS } from '../../../git/remote/networkGit.ts';
import { fileRemote, readAddress } from '../../../git/remote/repositoryAddress.ts';
import { chooseStart } from './chooseStart.ts';
import { NOTHING_PUSHED, type PushRequest, pushWork } from './pushWork.ts';

/** A repository on the branch of an attempt, with a bare remote. */
async function attemptOn(epoch: number, repository: GitRepository, bare: string): Promise<PushRequest> {
  repository.git('checkout', '-q', '-b', `sg/t/${epoch}`);
  repository.write('made.txt', `by ${epoch}\n`);
  repository.git('add', '-A');
  repository.git('commit', '-qm', `by ${epoch}`);
  return {
    ...{
      path: repository.path,
      branch: `sg/t/${epoch}`,
      base: undefined,
      remote: fileRemote(bare),
      attempt: `t-${epoch}`,
    },
    ...{ message: 'work', from: 'task t', stage: 'checkpoint', before: NOTHING_PUSHED, isLast: false },
  };
}

function bareIn({ beside, env }: GitRepository) {
  const bare = path.join(beside, 'bare.git');
  const git = (...args: string[]) => execFileSync('git', ['--git-dir', bare, ...args], { env, encoding: 'utf8' });
  git('init', '-q', '--bare', bare);
  return {
    bare,
    refs: () => git('for-each-ref', '--format=%(refname) %(subject)').trim().split('\n').filter(Boolean),
    git,
  };
}

it('pushes the branch, and what is uncommitted beside it; the worktree stays as it is', async () => {
  await using repository = await gitRepository();
  const { bare, refs, git } = bareIn(repository);
  const request = await attemptOn(1, repository, bare);
  repository.write('loose.txt', 'loose');
  const before = repository.state();
  const first = await pushWork(repository.hardened, request);
  expect(first.problem).toBeNull();
  expect(refs()).toEqual(['refs/heads/sg/t/1 by 1', 'refs/stopgate/wip/t-1 work']);
  expect(git('show', 'refs/stopgate/wip/t-1:loose.txt')).toBe('loose');
  expect(repository.state()).toEqual(before);
  repository.git('clean', '-fdq');
  const second = await pushWork(repository.hardened, { ...request, before: first.pushed });
  // what is no longer there is not kept for the next attempt
  expect([second, refs()]).toEqual([
    { pushed: { commit: first.pushed.commit, wip: null }, problem: null },
    ['refs/heads/sg/t/1 by 1'],
  ]);
});

it('changes nothing on refs that others wrote, and knows its own again after a crash', async () => {
  await using repository = await gitRepository();
  const { bare, refs, git } = bareIn(repository);
  const request = await attemptOn(1, repository, bare);
  await pushWork(repository.hardened, request);
  repository.git('commit', '-q', '--allow-empty', '-m', 'more');
  // it was killed before it noted the first push
  expect(await pushWork(repository.hardened, request)).toMatchObject({ problem: null });
  expect(refs()).toEqual(['refs/heads/sg/t/1 more']);
  // another process has written it since
  const tree = git('rev-parse', 'sg/t/1^{tree}').trim();
  const other = git('-c', 'user.name=o', '-c', 'user.email=o@o', 'commit-tree', tree, '-m', 'other').trim();
  git('update-ref', 'refs/heads/sg/t/1', other);
  git('update-ref', 'refs/heads/sg/t/2', other);
  git('update-ref', 'refs/heads/main', other);
  repository.git('commit', '-q', '--allow-empty', '-m', 'late');
  const late = await pushWork(repository.hardened, request);
  expect(late.problem).toMatch(/another process has written it on file:/);
  expect(refs()).toEqual(['refs/heads/main other', 'refs/heads/sg/t/1 other', 'refs/heads/sg/t/2 other']);
});

it('says why a remote did not take it: refused, gone, silent', async () => {
  await using repository = await gitRepository();
  const { bare } = bareIn(repository);
  const request = await attemptOn(1, repository, bare);
  mkdirSync(path.join(bare, 'hooks'), { recursive: true });
  writeFileSync(path.join(bare, 'hooks/pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const refused = await pushWork(repository.hardened, request);
  expect(refused).toEqual({
    pushed: NOTHING_PUSHED,
    problem: expect.stringMatching(/refused it: pre-receive hook declined/),
  });
  renameSync(bare, `${bare}.gone`);
  const gone = await pushWork(repository.hardened, request);
  expect(gone.problem).toMatch(/could not be used: .*does not appear to be a git repository/);
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const silent = readAddress(`git://127.0.0.1:${port}/a`, '/');
  if (silent.type !== 'remote') throw new Error('not a remote');
  const limits = { ...REMOTE_LIMITS, pushMs: 300 };
  const slow = await pushWork(repository.hardened, { ...request, remote: silent, limits });
  expect(slow.problem).toMatch(/^git:\/\/127.0.0.1:\d+\/a did not answer completely within/);
  server.close();
});

it('does not read the configuration of the repository, which an agent can write', async () => {
  await using repository = await gitRepository();
  const { bare, refs } = bareIn(repository);
  const request = await attemptOn(1, repository, bare);
  repository.git('config', `url.file:///nowhere.insteadOf`, `file://${bare}`);
  repository.git('config', 'remote.stopgate.url', '/nowhere');
  expect(await pushWork(repository.hardened, request)).toMatchObject({ problem: null });
  expect(refs()).toEqual(['refs/heads/sg/t/1 by 1']);
});

it('starts a dependant with the work before it: one as the base, others merged, conflicts named', async () => {
  await using repository = await gitRepository();
  const { git, path: folder, hardened } = repository;
  const main = git('rev-parse', 'HEAD').trim();
  const work = (id: string, file: string) => {
    git('checkout', '-q', '-b', `sg/${id}/1`, main);
    repository.write(file, `${id}\n`);
    git('add', '-A');
    git('commit', '-qm', id);
    return { taskId: id, branch: `sg/${id}/1`, commit: git('rev-parse', 'HEAD').trim() };
  };
  const [a, b, c] = [work('a', 'one.txt'), work('b', 'two.txt'), work('c', 'one.txt')] as const;
  const gone = { taskId: 'd', branch: 'sg/d/1', commit: null };
  const request = { folder, base: 'main', earlier: [], remote: null };
  const start = await chooseStart(hardened, { ...request, prerequisites: [a, b, c, gone] });
  if (start.type !== 'start') throw new Error(start.reason);
  expect(git('ls-tree', '--name-only', start.commit, 'one.txt', 'two.txt')).toBe('one.txt\ntwo.txt\n');
  expect(git('show', `${start.commit}:one.txt`)).toBe('a\n');
  expect(start.notes).toEqual([
    'This worktree starts with the work of task a (sg/a/1), which this task depends on.',
    'The work of task d (sg/d/1), which this task depends on, could not be found.',
    'The work of task b (sg/b/1) is merged into it.',
    `The work of task c (sg/c/1) conflicts with it in one.txt, so it is not merged: run \`git merge ${c.commit}\` and resolve it.`,
  ]);
  const alone = await chooseStart(hardened, { ...request, prerequisites: [a] });
  expect(alone).toMatchObject({ commit: a.commit });
  expect(await chooseStart(hardened, { ...request, base: 'nothing', prerequisites: [] })).toMatchObject({
    type: 'noBase',
  });
});
