import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { databaseOfThisFile } from '../store/support/postgresStores.ts';
import { until } from '../support/fleetProject.ts';
import { forgedGraph, graft } from '../support/otherParents.ts';
import { type ReviewProject, reviewProject } from '../support/reviewProject.ts';
import { IS_LONG, sampleOf } from '../support/testSize.ts';

const LONG_MS = 120_000;
/** Most of their time is waiting. */
const APART = { timeout: LONG_MS, concurrent: true };
const KILLER = path.join(import.meta.dirname, '../support/killAtLine.cjs');

const database = IS_LONG ? databaseOfThisFile() : null;
let databases = 0;

/** Only in `npm run test:long`; in every run, `landingOutage.test.ts` and `remoteLanding.test.ts` land with PostgreSQL. */
const onPostgres = async (): Promise<ReviewProject> => {
  const url = database?.server.url ?? '';
  const sql = postgres(url, { max: 1, fetch_types: false });
  const name = `landing_${++databases}`;
  await sql.unsafe(`CREATE DATABASE ${name}`);
  await sql.end();
  return reviewProject(url.replace(/[^/]*$/, name));
};

const STORES = [
  ['SQLite', () => reviewProject()],
  ['PostgreSQL', onPostgres],
] as const;

/** What holds after every landing, whatever happened. */
function expectSound({ refusedCommits, leftovers, git }: ReviewProject): void {
  expect(refusedCommits()).toEqual([]);
  expect(leftovers()).toEqual([]);
  expect(git('status', '--porcelain')).toBe('');
  expect(git('worktree', 'list')).not.toMatch(/\/(land|verify)\//);
}

describe('a batch that is accepted together', APART, () => {
  it('lands without checks where there are none, and announces none', async () => {
    await using review = await reviewProject();
    review.git('rm', '-q', 'stopgate.config.json');
    review.git('commit', '-qm', 'no checks');
    const end = await review.run('review', 'accept', await review.finish('x', { x: '' }));
    expect([end.code, end.stderr]).toEqual([0, expect.stringMatching(/ on main as \w+; there is nothing to check\n/)]);
    expect(end.stderr.match(/nothing to check|running the checks|checks passed/g)).toHaveLength(1);
  });

  it('is halved when it is red: the culprit comes back with the failing part, the rest lands', async () => {
    await using review = await reviewProject();
    const ids = [
      await review.finish('w', { w: '' }),
      await review.finish('x', { one: '' }),
      await review.finish('y', { y: '' }),
      await review.finish('z', { two: '' }),
      await review.finish('r', { red: '' }),
    ];
    const end = await review.run('review', 'accept', ...ids);
    expect(await review.states(...ids), end.stderr).toEqual(['landed', 'landed', 'landed', 'returned', 'returned']);
    expect(end.code).toBe(1);
    expect((await review.review(ids[3] ?? '')).reason).toMatch(/^On main at [0-9a-f]{12} it fails: rule exited 1/);
    expect(end.stderr).toContain('together fail the checks');
    expect(end.stderr).not.toContain('remove it');
    expect(ids.map((id) => review.landed(id))).toEqual([1, 1, 1, 0, 0]);
    expect(['w', 'one', 'y', 'two', 'red'].map((name) => existsSync(path.join(review.project.dir, name)))).toEqual([
      ...[true, true, true, false, false],
    ]);
    expectSound(review);
    const page = (await review.run('review')).stdout;
    expect(page).toMatch(/returned .*On main at/);
    const red = ids[4] ?? '';
    expect((await review.run('review', 'show', red)).stdout).toMatch(
      /Reason +On main at .*exited 1[\s\S]*\nWhat failed\n[\s\S]*red is there: remove it\n/,
    );
    const { reason } = JSON.parse((await review.run('review', 'show', red, '--json')).stdout);
    expect(reason).toMatch(/^On main at .*\n\n[\s\S]*red is there: remove it/);
    const record = `verify-${red}-landing-1`;
    const why = (await review.run('why', record)).stdout;
    expect(why).toContain('the merged result failed its checks');
    expect(why).not.toContain('stopgate waive');
    const waived = await review.run('waive', record, '--check', 'rule', '--reason', 'x');
    expect([waived.code, waived.stderr]).toEqual([2, expect.stringContaining(`stopgate review accept ${red}`)]);
  });

  it('is not landed half by half where only the commands of one of its tasks refuse the whole', async () => {
    await using review = await reviewProject();
    const ids = [
      await review.finish('a', { a: '' }, 'main', 'test ! -e bad'),
      await review.finish('b', { bad: '' }),
      await review.finish('c', { c: '' }),
    ];
    const end = await review.run('review', 'accept', ...ids);
    expect(await review.states(...ids), end.stderr).toEqual(['landed', 'returned', 'landed']);
    expect((await review.review(ids[1] ?? '')).reason).toMatch(
      /^On main at [0-9a-f]{12} it fails: test ! -e bad exited 1/,
    );
    expect(['a', 'bad', 'c'].map((name) => existsSync(path.join(review.project.dir, name)))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('returns what conflicts with the branch, naming the files, and lands what only conflicted with returned work', async () => {
    await using review = await reviewProject();
    const red = await review.finish('red', { red: '', 'b.txt': 'mine\n' });
    const free = await review.finish('free', { 'b.txt': 'other\n' });
    const old = await review.finish('old', { 'a.txt': 'theirs\n', 'c.txt': 'c\n' });
    review.project.write('a.txt', 'moved on\n');
    review.git('commit', '-qam', 'moved on');
    const dry = await review.run('review', 'accept', '--all', '--dry-run');
    expect(dry.code).toBe(1);
    expect(dry.stdout).toContain(`${old} conflicts with main in a.txt.`);
    expect(dry.stdout).toContain(`${free} conflicts with the work before it in b.txt.`);
    const end = await review.run('review', 'accept', red, free, old, '--json');
    expect(await review.states(red, free, old), end.stderr).toEqual(['returned', 'landed', 'returned']);
    const [{ results }] = end.lines;
    expect(results[2]).toMatchObject({ taskId: old, type: 'returned', reason: 'Conflicts with main in a.txt.' });
    expect(review.project.read('b.txt')).toBe('other\n');
    expectSound(review);
  });

  it('lands by itself what is also part of returned work', async () => {
    await using review = await reviewProject();
    const part = await review.finish('part', { part: '' });
    const red = await review.finish('red', { red: '' }, `sg/${part}/1`);
    const end = await review.run('review', 'accept', red, part);
    expect(await review.states(red, part), end.stderr).toEqual(['returned', 'landed']);
    expect([existsSync(path.join(review.project.dir, 'part')), review.landed(part)]).toEqual([true, 1]);
    expectSound(review);
  });

  it('returns work that git cannot combine, and lands the rest', async () => {
    await using review = await reviewProject();
    const [id, other] = [await review.finish('x', { x: '' }), await review.finish('y', { y: '' })];
    const blob = review.git('rev-parse', 'main:a.txt').trim();
    const cwd = review.project.dir;
    const treeOf = (lines: string) => execFileSync('git', ['mktree'], { cwd, input: lines, encoding: 'utf8' }).trim();
    const inner = treeOf(`100644 blob ${blob}\tconfig\n`);
    // a name that no checkout can have
    const tree = treeOf(`${review.git('ls-tree', 'main')}040000 tree ${inner}\t.git\n`);
    const commit = review.git('commit-tree', tree, '-p', 'main', '-m', 'odd').trim();
    const { attemptId: lease } = await review.review(id);
    const by = { workerId: 'w', incarnation: 1 };
    const details = { headCommit: commit };
    await review.store.heartbeat({ ...by, lease: { ...by, taskId: id, epoch: 1, attemptId: lease }, details });
    const end = await review.run('review', 'accept', id, other);
    expect(await review.states(id, other), end.stderr).toEqual(['returned', 'landed']);
    expect((await review.review(id)).reason).toMatch(/^It cannot be combined with main: /);
    expectSound(review);
  });

  it('stays accepted while the target itself is red, and lands after a repair', async () => {
    await using review = await reviewProject();
    const ids = [await review.finish('x', { x: '' }), await review.finish('y', { y: '' })];
    review.project.write('red', '');
    review.git('add', 'red');
    review.git('commit', '-qm', 'red by hand');
    const before = review.git('rev-parse', 'main');
    const end = await review.run('review', 'accept', ...ids);
    expect([end.code, await review.states(...ids)], end.stderr).toEqual([1, ['accepted', 'accepted']]);
    expect(end.stderr).toMatch(
      /main itself fails the checks at [0-9a-f]{12} \(rule exited 1 after \w+\), so nothing lands on it/,
    );
    expect(end.stderr.match(/checking main itself/g)).toHaveLength(1);
    expect(review.git('rev-parse', 'main')).toBe(before);
    const repair = await review.finish('repair', { red: null });
    expect(await review.states(repair)).toEqual(['waiting']);
    const landed = await review.run('review', 'accept', repair);
    expect([landed.code, await review.states(...ids, repair)], landed.stderr).toEqual([
      0,
      ['landed', 'landed', 'landed'],
    ]);
    expect(existsSync(path.join(review.project.dir, 'red'))).toBe(false);
  });

  it('goes back to the queue with notes when the person chose that', async () => {
    await using review = await reviewProject();
    const id = await review.finish('old', { 'a.txt': 'theirs\n' });
    review.project.write('a.txt', 'moved on\n');
    review.git('commit', '-qam', 'moved on');
    const end = await review.run('review', 'accept', id, '--requeue');
    expect([end.code, end.stderr]).toEqual([1, expect.stringContaining('was returned, and is queued again')]);
    const found = await review.store.task({ id });
    expect(found).toMatchObject({ task: { status: 'ready', lastError: 'Conflicts with main in a.txt.' } });
    const claimed = await review.store.claim({ workerId: 'w', incarnation: 1, claimKey: 'again' });
    const notes = expect.stringContaining('resolve the conflicts');
    expect(claimed).toMatchObject({
      type: 'claimed',
      previous: { checkpoint: notes, details: { branch: `sg/${id}/1` } },
    });
  });

  it('is held to the definition of done of the person, not to what an attempt made of it', async () => {
    await using review = await reviewProject();
    const config = '{"checks":[{"name":"none","command":"true"}]}';
    const id = await review.finish('liar', { red: '', 'check.sh': 'exit 0\n', 'stopgate.config.json': config });
    const end = await review.run('review', 'accept', id);
    expect(await review.states(id), end.stderr).toEqual(['returned']);
    expect((await review.review(id)).reason).toContain('rule exited 1');
    expect(review.landed(id)).toBe(0);
  });

  // two queues at once, below, land by --squash, too
  it.each(sampleOf(['squash', 'rebase'], (method) => method === 'rebase'))(
    'lands by --%s on a branch that is not checked out',
    async (method) => {
      await using review = await reviewProject();
      review.git('branch', 'release');
      const ids = [await review.finish('x', { x: '' }), await review.finish('y', { y: '' })];
      review.project.write('a.txt', 'not committed\n');
      const end = await review.run('review', 'accept', ...ids, `--${method}`, '--into', 'release');
      expect([end.code, await review.states(...ids)], end.stderr).toEqual([0, ['landed', 'landed']]);
      expect(review.git('log', '--merges', '--format=%H', 'release')).toBe('');
      expect(review.git('log', '--format=%s', '--reverse', 'release')).toBe('first\nx\ny\n');
      expect(review.git('ls-tree', '--name-only', 'release').split('\n')).toEqual(expect.arrayContaining(['x', 'y']));
      expect([review.project.read('a.txt'), existsSync(path.join(review.project.dir, 'x'))]).toEqual([
        ...['not committed\n', false],
      ]);
      expect(review.refusedCommits('release')).toEqual([]);
    },
  );

  const FORGED = [
    ['in a list of grafts', graft],
    ['in a commit graph', forgedGraph],
  ] as const;
  it.each(sampleOf(FORGED, ([where]) => where === 'in a commit graph'))(
    'lands what is only on the branch by other parents of its commits, %s',
    async (_where, forge) => {
      await using review = await reviewProject();
      review.git('commit', '-q', '--allow-empty', '-m', 'second');
      const id = await review.finish('x', { x: '' });
      const [work = '', parent = ''] = review.git('rev-parse', `sg/${id}/1`, 'main~1').trim().split('\n');
      forge({ dir: review.project.dir, git: review.git }, { of: parent, to: work });
      const end = await review.run('review', 'accept', id);
      for (const file of ['info/grafts', 'objects/info/commit-graph'])
        rmSync(path.join(review.project.dir, '.git', file), { force: true });
      expect([end.code, review.landed(id)], end.stderr).toEqual([0, 1]);
      expectSound(review);
    },
  );

  const ATTRIBUTES = [
    ['attributes that are in no commit', 'code working-tree-encoding=UTF-16LE\n'],
    ['macros for them', '[attr]x working-tree-encoding=UTF-16LE\ncode x\n'],
  ] as const;
  it.each(sampleOf(ATTRIBUTES, ([what]) => what !== 'macros for them'))(
    'does not land what passes only with %s',
    async (_what, attributes) => {
      await using review = await reviewProject();
      review.project.write('check.sh', '! grep -q BAD code\n');
      review.project.write('code', 'fine\n');
      review.git('add', '.');
      review.git('commit', '-qm', 'rule');
      const id = await review.finish('bad', { code: 'BAD\n' });
      const file = path.join(review.project.dir, '.git/info/attributes');
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, attributes);
      const end = await review.run('review', 'accept', id);
      expect([end.code, end.stderr]).toEqual([
        1,
        expect.stringContaining('changes the content of files at a checkout'),
      ]);
      expect([await review.states(id), review.landed(id)]).toEqual([['accepted'], 0]);
      rmSync(file);
      await review.run('review', 'land');
      expect(await review.states(id)).toEqual(['returned']);
      expectSound(review);
    },
  );

  it('lands the commit that was reviewed, whatever its branch points to now', async () => {
    await using review = await reviewProject();
    const id = await review.finish('x', { x: '' });
    const other = await review.finish('y', { red: '' });
    review.git('update-ref', `refs/heads/sg/${id}/1`, `refs/heads/sg/${other}/1`);
    const end = await review.run('review', 'accept', id);
    expect([end.code, review.git('ls-files')], end.stderr).toEqual([0, expect.stringMatching(/^x$/m)]);
    expectSound(review);
  });
});

describe('the worktree of the user', APART, () => {
  it('with uncommitted changes is not touched, and what was accepted lands later', async () => {
    await using review = await reviewProject();
    const id = await review.finish('x', { 'a.txt': 'theirs\n' });
    review.project.write('a.txt', 'mine\n');
    const before = review.git('rev-parse', 'main');
    const end = await review.run('review', 'accept', id);
    expect([end.code, end.stderr]).toEqual([1, expect.stringContaining('has uncommitted changes; commit or stash')]);
    expect([review.git('rev-parse', 'main'), review.project.read('a.txt')]).toEqual([before, 'mine\n']);
    expect(await review.review(id)).toMatchObject({ state: 'accepted', landedCommit: null });
    review.git('checkout', '-q', 'a.txt');
    // an untracked file in the way counts as much
    const blocked = await review.finish('y', { 'new.txt': 'theirs\n' });
    review.project.write('new.txt', 'mine\n');
    const second = await review.run('review', 'accept', blocked);
    expect(second.stderr).toContain('new.txt would be overwritten');
    expect([review.git('rev-parse', 'main'), review.project.read('new.txt')]).toEqual([before, 'mine\n']);
    rmSync(path.join(review.project.dir, 'new.txt'));
    const third = await review.run('review', 'land');
    expect([third.code, await review.states(id, blocked)], third.stderr).toEqual([0, ['landed', 'landed']]);
    expect([review.project.read('a.txt'), review.project.read('new.txt')]).toEqual(['theirs\n', 'theirs\n']);
    expectSound(review);
  });
});

/** The line after which the process is killed, and how much of the landing the next one finds done. */
const STEPS = [
  ['after it took them', 'landing '],
  ['after it merged them', 'running the checks'],
  ['between the checks and the branch', 'the checks passed on'],
  ['after the branch moved, before that is recorded', 'is now at'],
] as const;

/** They differ by what git did; with `npm run test:long` the last one is of each store. */
const KILLS = STEPS.flatMap(([step, line], at) =>
  STORES.slice(0, IS_LONG && at === STEPS.length - 1 ? 2 : 1).map(
    ([store, open]) => [step, store, line, open] as const,
  ),
);

describe('kill -9', APART, () => {
  it.each(KILLS)('%s, on %s: the next run finishes', async (_step, _store, line, open) => {
    await using review = await open();
    const ids = [await review.finish('x', { x: '' }), await review.finish('z', { one: '', z: '' })];
    const env = { KILL_AT: line };
    const first = await review.start(['review', 'accept', ...ids], { env, nodeArgs: ['--require', KILLER] }).ended;
    expect(first.signal, first.stderr).toBe('SIGKILL');
    expect(review.refusedCommits()).toEqual([]);
    const page = (await review.run('review')).stdout;
    expect(page.match(/^\w+ +interrupted /gm)).toHaveLength(2);
    expect(page).toMatch(/^2 accepted attempts are not landed, and no process lands them now: stopgate review land$/m);
    const second = await review.run('review', 'land');
    expect([second.code, await review.states(...ids)], second.stderr).toEqual([0, ['landed', 'landed']]);
    expect(ids.map((id) => review.landed(id))).toEqual([1, 1]);
    expectSound(review);
  });

  it('during the checks: the next run repeats them', async () => {
    await using review = await reviewProject();
    const ids = [await review.finish('x', { x: '' }), await review.finish('r', { red: '' })];
    const hang = path.join(review.project.home, 'hang');
    writeFileSync(hang, '');
    const first = review.start(['review', 'accept', ...ids]);
    await until(() => existsSync(`${hang}.seen`));
    expect((await review.run('review')).stdout).toMatch(/ landing [\s\S]*\n0 wait for you/);
    first.child.kill('SIGKILL');
    await first.ended;
    rmSync(hang);
    const second = await review.run('review', 'land');
    expect(await review.states(...ids), second.stderr).toEqual(['landed', 'returned']);
    expectSound(review);
  });
});

describe('two queues at once', APART, () => {
  it.each(sampleOf(STORES, ([store]) => store === 'SQLite'))('land each attempt once, on %s', async (_store, open) => {
    await using review = await open();
    const left = [await review.finish('a', { a: '' }), await review.finish('one', { one: '' })];
    const right = [await review.finish('b', { b: '' }), await review.finish('two', { two: '' })];
    const ends = await Promise.all([
      review.run('review', 'accept', ...left),
      review.run('review', 'accept', ...right, '--squash'),
    ]);
    const said = ends.map(({ stderr }) => stderr).join('\n---\n');
    const states = await review.states(...left, ...right);
    // whichever comes second is red
    expect([states[0], states[2], [states[1], states[3]].toSorted()], said).toEqual([
      ...['landed', 'landed', ['landed', 'returned']],
    ]);
    const counts = [...left, ...right].map((id) => review.landed(id));
    expect([counts.filter((count) => count === 1).length, Math.max(...counts)]).toEqual([3, 1]);
    expectSound(review);
  });
});
