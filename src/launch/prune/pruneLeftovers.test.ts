import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GitRepository, gitRepository } from '../../../tests/support/gitRepository.ts';
import { forgedGraph, graft } from '../../../tests/support/otherParents.ts';
import type { Git } from '../../git/git.ts';
import { cacheFolders } from '../../git/remote/repositoryCache.ts';
import { outboxFolder } from '../../store/outbox/outbox.ts';
import { sealedText } from '../../system/sealedFile.ts';
import { attemptLogFile } from '../attempt/attemptLog.ts';
import type { EndedTask } from './leftovers.ts';
import { type LeftoverWish, planLeftovers, removeLeftovers } from './pruneLeftovers.ts';

const DAY_MS = 86_400_000;
const NOW = 40 * DAY_MS;

interface Ground extends AsyncDisposable {
  readonly repository: GitRepository;
  readonly home: string;
  /** A worktree with its branch, as a worker makes it for the first attempt of a task. */
  worktree(id: string): string;
  /** A branch of an attempt, with a commit of its own or merged. */
  branch(name: string, isMerged: boolean): void;
  task(id: string, left?: Partial<EndedTask['left'][number]>): EndedTask;
  wish(tasks: readonly EndedTask[], more?: Partial<LeftoverWish>): LeftoverWish;
  /** Plans, compares a second plan, removes; names of what went, and reasons of what stayed by name. */
  prune(tasks: readonly EndedTask[], more?: Partial<LeftoverWish>): Promise<Result>;
  refs(): readonly string[];
}

interface Result {
  readonly went: readonly string[];
  readonly stayed: Readonly<Record<string, string>>;
}

async function ground(): Promise<Ground> {
  const repository = await gitRepository();
  const home = path.join(repository.beside, '.stopgate');
  const { git } = repository;
  const refs = () => git('for-each-ref', '--format=%(refname)').split('\n').filter(Boolean);
  const wish: Ground['wish'] = (tasks, more) => ({
    ...{ git: repository.hardened, cwd: repository.path, stopgateHome: home, locations: ['store'], tasks },
    ...{ olderThanMs: DAY_MS, now: NOW, unmerged: false, ...more },
  });
  return {
    repository,
    home,
    wish,
    refs,
    worktree: (id) => {
      const folder = path.join(home, 'worktrees', `repository-${id}-1`);
      git('worktree', 'add', '--quiet', '-b', `sg/${id}/1`, folder);
      return folder;
    },
    branch: (name, isMerged) => {
      const commit = isMerged ? 'main' : git('commit-tree', 'main^{tree}', '-p', 'main', '-m', name).trim();
      git('update-ref', `refs/heads/${name}`, commit);
    },
    task: (id, left) => ({
      id,
      epoch: 1,
      left: [{ epoch: 1, branch: `sg/${id}/1`, worktree: path.join(home, 'worktrees', `repository-${id}-1`), ...left }],
    }),
    prune: async (tasks, more) => {
      const before = refs();
      const plan = await planLeftovers(wish(tasks, more));
      // to plan changes nothing
      expect(refs()).toEqual(before);
      for (const { kind, name } of plan.remove) if (kind === 'worktree' || kind === 'log') expectThere(name);
      const done = await removeLeftovers(plan, wish(tasks, more));
      // what a dry run lists is what a real run removes
      expect(done).toEqual(plan);
      return {
        went: done.remove.map(({ name }) => name),
        stayed: Object.fromEntries(done.keep.map(({ name, why }) => [name, why])),
      };
    },
    [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose](),
  };
}

const expectThere = (file: string) => expect(lstatSync(file, { throwIfNoEntry: false }), file).toBeDefined();

/** Git as it is, but for commands that fail. */
const failing = (git: Git, fails: (args: readonly string[]) => boolean): Git => ({
  ...git,
  run: (command) =>
    fails(command.args) ? git.run({ ...command, args: ['rev-parse', '--verify', 'no-such-ref'] }) : git.run(command),
});

const UNMERGED = 'no other branch has its commits (--unmerged removes it)';

describe('branches and kept work', () => {
  it('go when another branch has their commits, and only those of removed tasks', async () => {
    await using on = await ground();
    const { git } = on.repository;
    for (const [name, isMerged] of [
      ['sg/merged/1', true],
      ['sg/unique/1', false],
      ['sg/tagged/1', false],
      ['sg/pushed/1', false],
      ['sg/stashed/1', false],
      ['sg/named/1', false],
      ['sg/other', true],
      ['sg/unknown/1', true],
      ['sg/merged/2', true],
      ['sg/merged/x', true],
      ['mine/sg/merged/1', true],
    ] as const)
      on.branch(name, isMerged);
    git('tag', 'v1', 'sg/tagged/1');
    git('update-ref', 'refs/remotes/origin/sg/pushed/1', 'sg/pushed/1');
    git('update-ref', 'refs/stash', 'sg/stashed/1');
    git('symbolic-ref', 'refs/heads/person', 'refs/heads/sg/named/1');
    git('update-ref', 'refs/stopgate/wip/merged-1', 'sg/unique/1');
    git('update-ref', 'refs/stopgate/wip/unknown-1', 'main');
    const tasks = ['merged', 'unique', 'tagged', 'pushed', 'stashed', 'named'].map((id) => on.task(id));
    const before = on.refs();
    const { went, stayed } = await on.prune(tasks);
    const gone = ['merged', 'pushed', 'tagged'].map((id) => `refs/heads/sg/${id}/1`);
    expect(went).toEqual(gone);
    expect(stayed).toEqual({
      'refs/heads/sg/unique/1': UNMERGED,
      'refs/heads/sg/stashed/1': UNMERGED,
      'refs/heads/sg/named/1': UNMERGED,
      'refs/stopgate/wip/merged-1': UNMERGED,
    });
    expect(on.refs()).toEqual(before.filter((name) => !gone.includes(name)));
    const more = await on.prune(tasks, { unmerged: true });
    expect(more.went).toHaveLength(4);
    expect(on.refs()).toContain('refs/stopgate/wip/unknown-1');
    expect(on.refs()).toContain('refs/heads/sg/unknown/1');
  });

  it('a branch that only stands for another one stays, and so does the other one', async () => {
    await using on = await ground();
    on.repository.git('branch', 'precious');
    on.repository.git('symbolic-ref', 'refs/heads/sg/task/1', 'refs/heads/precious');
    const { went, stayed } = await on.prune([on.task('task')], { unmerged: true });
    expect(went).toEqual([]);
    expect(stayed).toEqual({ 'refs/heads/sg/task/1': 'it only stands for refs/heads/precious' });
    expect(on.refs()).toContain('refs/heads/precious');
  });

  it('what changed since the plan was made stays', async () => {
    await using on = await ground();
    const { git } = on.repository;
    for (const id of ['moved', 'taken', 'unmerged', 'swapped', 'gone']) on.branch(`sg/${id}/1`, true);
    on.branch('sg/unmerged/1', false);
    git('branch', 'other', 'sg/unmerged/1');
    const tasks = ['moved', 'taken', 'unmerged', 'swapped', 'gone'].map((id) => on.task(id));
    const plan = await planLeftovers(on.wish(tasks));
    expect(plan.remove).toHaveLength(5);
    on.branch('sg/moved/1', false);
    git('worktree', 'add', '--quiet', path.join(on.repository.beside, 'taken'), 'sg/taken/1');
    git('branch', '-D', '--quiet', 'other');
    git('symbolic-ref', 'refs/heads/sg/swapped/1', 'refs/heads/main');
    git('branch', '-D', '--quiet', 'sg/gone/1');
    const done = await removeLeftovers(plan, on.wish(tasks));
    expect(done.keep.map(({ name, why }) => [name, why])).toEqual([
      ['refs/heads/sg/moved/1', 'it has moved since it was looked at'],
      ['refs/heads/sg/swapped/1', 'it only stands for refs/heads/main'],
      ['refs/heads/sg/taken/1', `it is checked out in ${path.join(on.repository.beside, 'taken')}`],
      ['refs/heads/sg/unmerged/1', UNMERGED],
    ]);
    expect(done.remove.map(({ name }) => name)).toEqual(['refs/heads/sg/gone/1']);
    expect(on.refs()).toContain('refs/heads/main');
  });

  it.each([
    ['in a list of grafts', graft],
    ['in a commit graph', forgedGraph],
  ])('what is on another branch only by other parents of its commits stays, %s', async (_where, forge) => {
    await using on = await ground();
    const { git, path: dir } = on.repository;
    git('commit', '--quiet', '--allow-empty', '-m', 'second');
    on.branch('sg/task/1', false);
    const [work = '', parent = ''] = git('rev-parse', 'sg/task/1', 'main~1').trim().split('\n');
    forge({ dir, git }, { of: parent, to: work });
    expect(await on.prune([on.task('task')])).toEqual({ went: [], stayed: { 'refs/heads/sg/task/1': UNMERGED } });
  });

  it('a git that fails proves nothing, at any step', async () => {
    await using on = await ground();
    on.branch('sg/task/1', true);
    const git = on.repository.hardened;
    const tasks = [on.task('task')];
    const plan = await planLeftovers(on.wish(tasks));
    for (const [name, why] of [
      ['--contains', /git could not tell/],
      ['worktree', /failed/],
      ['for-each-ref', /failed/],
      ['update-ref', /failed/],
    ] as const) {
      const broken = failing(git, (args) => args.includes(name));
      if (name !== 'update-ref') {
        const planned = await planLeftovers(on.wish(tasks, { git: broken }));
        expect(planned, name).toMatchObject({ remove: [], keep: [{ why: expect.stringMatching(why) }] });
      }
      const done = await removeLeftovers(plan, on.wish(tasks, { git: broken }));
      expect(done, name).toMatchObject({ remove: [], keep: [{ why: expect.stringMatching(why) }] });
    }
    expect(on.refs()).toContain('refs/heads/sg/task/1');
  });

  it('of a clone of this machine go when the remote has their commits; what was fetched stays', async () => {
    await using on = await ground();
    const { git } = on.repository;
    const cache = path.join(on.home, 'repos', 'there-0123');
    git('init', '--quiet', '--initial-branch=none', cache);
    git('-C', cache, 'fetch', '--quiet', on.repository.path, 'main:refs/stopgate/remote/heads/main');
    const inCache = (...args: string[]) => git('-C', cache, ...args);
    const own = inCache('commit-tree', 'refs/stopgate/remote/heads/main^{tree}', '-m', 'x').trim();
    inCache('update-ref', 'refs/heads/sg/landed/1', 'refs/stopgate/remote/heads/main');
    inCache('update-ref', 'refs/heads/sg/unique/1', own);
    inCache('update-ref', 'refs/stopgate/remote/heads/sg/unique/1', own);
    symlinkSync(on.repository.path, path.join(on.home, 'repos', 'link'));
    expect(cacheFolders(on.home)).toEqual([cache]);
    const { went, stayed } = await on.prune([on.task('landed'), on.task('unique')], { cwd: on.repository.beside });
    expect(went).toEqual(['refs/heads/sg/landed/1']);
    expect(stayed).toEqual({ 'refs/heads/sg/unique/1': UNMERGED });
    expect(inCache('for-each-ref', '--format=%(refname)').trim().split('\n')).toEqual([
      'refs/heads/sg/unique/1',
      'refs/stopgate/remote/heads/main',
      'refs/stopgate/remote/heads/sg/unique/1',
    ]);
  });
});

describe('a worktree', () => {
  /** What a person or an agent may have left in one, and why it stays. */
  const STAYS: Readonly<Record<string, readonly [(folder: string, on: Ground) => void, RegExp]>> = {
    linked: [
      (folder, { repository }) => {
        const outside = path.join(repository.beside, 'outside');
        renameSync(folder, outside);
        repository.git('worktree', 'repair', outside);
        symlinkSync(outside, folder);
      },
      /not a folder of its own/,
    ],
    changed: [(folder) => writeFileSync(path.join(folder, 'kept.txt'), 'changed\n'), /not committed/],
    untracked: [(folder) => writeFileSync(path.join(folder, 'new.txt'), 'new\n'), /not committed/],
    ignored: [
      (folder) => {
        mkdirSync(path.join(folder, 'ignored'));
        writeFileSync(path.join(folder, 'ignored', '.env'), 'KEY=1\n');
      },
      /^git ignores ignored\//,
    ],
    merging: [
      (folder, { repository: { git } }) => {
        git('branch', 'side', git('commit-tree', 'main^{tree}', '-p', 'main', '-m', 'side').trim());
        git('-C', folder, 'merge', '--quiet', '--no-commit', '--no-ff', 'side');
      },
      /^a merge is under way/,
    ],
    rebasing: [
      (folder, { repository: { git } }) => {
        git('-C', folder, 'commit', '--quiet', '--allow-empty', '-m', 'x');
        try {
          git('-C', folder, 'rebase', '--quiet', '--exec', 'false', 'HEAD~1');
        } catch {
          // it stops there
        }
      },
      /not on sg\/rebasing\/1 any more/,
    ],
    locked: [(folder, { repository }) => repository.git('worktree', 'lock', folder), /locked/],
    elsewhere: [
      (folder, { repository }) => repository.git('-C', folder, 'checkout', '--quiet', '-b', 'person'),
      /not on sg/,
    ],
    damaged: [(folder) => writeFileSync(path.join(folder, '.git'), 'gitdir: /nowhere\n'), /git could not read it/],
    plain: [
      (folder) => {
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
      },
      /git could not read it/,
    ],
  };

  it('goes with its branch when nothing is lost, and stays otherwise', async () => {
    await using on = await ground();
    const names = Object.keys(STAYS);
    const tasks = ['clean', 'cached', ...names].map((id) => on.task(id));
    const folders = tasks.map(({ id }) => on.worktree(id));
    const [clean = '', cached = ''] = folders;
    on.repository.write('.gitignore', 'ignored/\n');
    mkdirSync(path.join(cached, 'node_modules'));
    writeFileSync(path.join(on.repository.path, '.git', 'info', 'exclude'), 'node_modules/\n');
    writeFileSync(path.join(cached, 'node_modules', 'x'), 'x');
    names.forEach((name, n) => void STAYS[name]?.[0](folders[n + 2] ?? '', on));
    const { went, stayed } = await on.prune(tasks);
    expect(went).toEqual([clean, cached, 'refs/heads/sg/cached/1', 'refs/heads/sg/clean/1']);
    names.forEach((name, n) => {
      expect(stayed[folders[n + 2] ?? ''], name).toMatch(STAYS[name]?.[1] ?? /never/);
      expectThere(folders[n + 2] ?? '');
      expect(stayed[`refs/heads/sg/${name}/1`], name).toBe(`its worktree ${folders[n + 2]} stays`);
    });
    expectThere(path.join(on.repository.beside, 'outside', 'kept.txt'));
    // --unmerged keeps changes beside, but no snapshot has what git ignores
    const more = await on.prune(
      ['changed', 'untracked', 'ignored', 'merging'].map((id) => on.task(id)),
      { unmerged: true },
    );
    expect(more.went.filter((name) => path.isAbsolute(name))).toEqual(folders.slice(3, 5));
    expect(on.repository.git('show', 'refs/stopgate/wip/repository-changed-1:kept.txt')).toBe('changed\n');
    expect(on.repository.git('show', 'refs/stopgate/wip/repository-untracked-1:new.txt')).toBe('new\n');
  });

  it('whose status fails, or that changed since the plan was made, stays, and so does its branch', async () => {
    await using on = await ground();
    const folder = on.worktree('task');
    const tasks = [on.task('task')];
    const git = failing(on.repository.hardened, (args) => args.includes('status'));
    const { stayed } = await on.prune(tasks, { git });
    expect(stayed[folder]).toMatch(/^git could not tell whether it has changes/);
    expect(stayed['refs/heads/sg/task/1']).toBe(`its worktree ${folder} stays`);
    const plan = await planLeftovers(on.wish(tasks));
    writeFileSync(path.join(folder, 'new.txt'), 'new\n');
    const done = await removeLeftovers(plan, on.wish(tasks));
    expect(done.remove).toEqual([]);
    expect(done.keep.map(({ why }) => why)).toEqual([
      expect.stringMatching(/not committed/),
      `it is checked out in ${folder}`,
    ]);
    expectThere(path.join(folder, 'new.txt'));
  });

  it('that was half removed when a run was killed goes later, with its branch; links in it are not followed', async () => {
    await using on = await ground();
    const { git } = on.repository;
    const precious = on.repository.write('precious/file.txt', 'x');
    const ids = ['moved', 'half', 'gone', 'deleted'];
    const aside = (id: string) => path.join(on.home, 'worktrees', `.removing-repository-${id}-1`);
    for (const id of ids) {
      const folder = on.worktree(id);
      if (id === 'deleted') rmSync(folder, { recursive: true });
      // git renames the folder first, and writes down where it is after that
      else if (id === 'moved') renameSync(folder, aside(id));
      else git('worktree', 'move', folder, aside(id));
    }
    rmSync(path.join(aside('half'), '.git'));
    symlinkSync(path.dirname(precious), path.join(aside('half'), 'link'));
    rmSync(aside('gone'), { recursive: true });
    const link = path.join(on.home, 'worktrees', '.removing-link');
    symlinkSync(path.dirname(precious), link);
    const { went, stayed } = await on.prune(ids.map((id) => on.task(id)));
    expect(stayed).toEqual({});
    const branches = ['deleted', 'gone', 'half', 'moved'].map((id) => `refs/heads/sg/${id}/1`);
    expect(went.toSorted()).toEqual([link, aside('half'), aside('moved'), ...branches].toSorted());
    expectThere(precious);
    expect([aside('half'), aside('moved')].some((folder) => existsSync(folder))).toBe(false);
  });

  it('that a store only names, outside of its folder or of another task, is not looked at', async () => {
    await using on = await ground();
    const own = on.worktree('alive');
    const outside = path.join(on.repository.beside, 'person');
    on.repository.git('worktree', 'add', '--quiet', '-b', 'sg/task/1', outside);
    for (const worktree of [outside, `${own}/../../../person`, '/', '..', path.join(on.home, 'worktrees', '..')]) {
      const { went } = await on.prune([on.task('task', { worktree })]);
      expect(went, worktree).toEqual([]);
    }
    const { went, stayed } = await on.prune([on.task('task', { worktree: own, branch: 'sg/alive/1' })]);
    expect(went).toEqual([]);
    expect(stayed[own]).toBe('it is not on sg/task/1 any more');
    expectThere(own);
    expectThere(outside);
  });
});

describe('files', () => {
  it('of logs go by their own names; a link does not lead to what it points to', async () => {
    await using on = await ground();
    const log = (taskId: string) => attemptLogFile(on.home, { taskId, epoch: 1 });
    mkdirSync(path.dirname(log('task')), { recursive: true });
    const outside = on.repository.write('precious.log', 'x');
    symlinkSync(outside, log('link'));
    symlinkSync('/nowhere', log('dangling'));
    for (const id of ['task', 'a-b-', 'a.b']) writeFileSync(log(id), 'x');
    writeFileSync(`${log('task')}.1`, 'x');
    on.repository.git('update-ref', 'refs/stopgate/wip/a-b--1', 'main');
    on.repository.git('update-ref', 'refs/stopgate/wip/a.b-1', 'main');
    const odd = ['a-b:', 'a..b', '../../../repository/precious', '.....', ':::::', '*', 'a b', 'a\nb'];
    const { went } = await on.prune(
      ['task', 'link', 'dangling', ...odd].map((id) => on.task(id)),
      { unmerged: true },
    );
    expect(went).toEqual([log('task'), `${log('task')}.1`, log('link'), log('dangling')]);
    expect(readFileSync(outside, 'utf8')).toBe('x');
    expect([log('a-b-'), log('a.b')].every((file) => existsSync(file))).toBe(true);
  });

  it('of refused settlements go when they are old and of this store', async () => {
    await using on = await ground();
    const folder = path.join(outboxFolder(on.home), 'superseded');
    mkdirSync(folder, { recursive: true });
    const fileOf = (id: string) => path.join(folder, `${id}.json`);
    const settlement = (attemptId: string, store: string, keptAt: number) => {
      const lease = { attemptId, taskId: 'task', epoch: 1, workerId: 'w', incarnation: 1 };
      const kept = { version: 1, store, keptAt, operation: 'complete', request: { lease, result: 'x' } };
      return sealedText(on.home, fileOf(attemptId), JSON.stringify(kept));
    };
    const write = (id: string, store: string, keptAt: number) =>
      writeFileSync(fileOf(id), settlement(id, store, keptAt));
    write('attempt-old', 'store', 0);
    write('attempt-young', 'store', NOW - 1);
    write('attempt-other', 'other', 0);
    const outside = on.repository.write('attempt-link.json', settlement('attempt-link', 'store', 0));
    symlinkSync(outside, fileOf('attempt-link'));
    const { went } = await on.prune([]);
    expect(went.toSorted()).toEqual(['attempt-link', 'attempt-old']);
    expect(['attempt-young', 'attempt-other'].every((id) => existsSync(fileOf(id)))).toBe(true);
    expectThere(outside);
  });
});
