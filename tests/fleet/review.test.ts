import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../support/fleetProject.ts';
import { reviewProject } from '../support/reviewProject.ts';

const LONG_MS = 120_000;

const worker = (script: string, ...options: string[]) => [
  ...['worker', 'run', '--worktrees', '--no-verify', '--slot', 'agents', '--agent', `sh -c '${script}' sh`, ...options],
];

describe('finished work', { timeout: LONG_MS }, () => {
  it('is accepted beside what was accepted before, and not beside what was rejected', async () => {
    await using review = await reviewProject();
    const titles = ['one', 'two', 'three', 'four'];
    const ids: string[] = [];
    for (const title of titles) ids.push(await review.finish(title, { [`${title}.txt`]: 'x' }));
    const [before = '', beside = '', rejected = '', waiting = ''] = ids;
    await review.run('review', 'accept', before, '--no-land');
    expect((await review.run('review', 'accept', beside, '--dry-run')).code).toBe(0);
    const end = await review.run('review', 'accept', before, beside);
    expect([end.code, end.stderr]).toEqual([0, expect.stringContaining(`Task ${before} was accepted already`)]);
    expect(await review.states(before, beside)).toEqual(['landed', 'landed']);
    await review.run('review', 'reject', rejected, 'no', '--drop');
    const refused = await review.run('review', 'accept', waiting, rejected);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('was rejected already')]);
    expect(await review.states(waiting)).toEqual(['waiting']);
  });

  it('is listed and shown with its diff, and opened in a folder', async () => {
    await using review = await reviewProject();
    const id = await review.finish('say \u001b[31mhello', { 'hello.txt': 'hello\n\u001b[2Jworld\n' });
    const list = (await review.run('review')).stdout;
    expect(list).toMatch(new RegExp(`${id} +waiting +\\d+s +1 file \\+2 -0 +not verified`));
    expect(list).toContain('1 waits for you');
    const json = JSON.parse((await review.run('review', '--json')).stdout);
    expect(json.reviews[0]).toMatchObject({
      ...{ taskId: id, state: 'waiting', diff: { added: 2, removed: 0, files: [{ path: 'hello.txt' }] } },
      ...{ proof: { type: 'none' }, commit: review.git('rev-parse', `sg/${id}/1`).trim() },
    });
    const page = (await review.run('review', 'show', id.slice(0, 6))).stdout;
    expect(page).toMatch(/Files \(1 file \+2 -0\)\n {2}hello.txt {2}\+2 -0/);
    expect(page).not.toContain('\u001b');
    expect((await review.run('review', 'show', id, '--diff')).stdout).toMatch(/^\+hello$/m);
    const folder = (await review.run('review', 'open', id)).stdout.trim();
    expect(readFileSync(path.join(folder, 'hello.txt'), 'utf8')).toContain('world');
    expect((await review.run('review', 'open', id)).stdout.trim()).toBe(folder);
  });

  it('that is rejected goes back with the reason, and the next attempt continues from its branch', async () => {
    await using review = await reviewProject();
    const id = await review.finish('first try', { draft: '' });
    const end = await review.run('review', 'reject', id, 'the tests are missing');
    expect([end.code, end.stdout]).toEqual([0, expect.stringContaining('rejected and queued again')]);
    const seen = path.join(review.project.home, 'seen');
    const script = `ls > ${seen}; echo "$1" > ${seen}.prompt; echo > tests`;
    const ran = await review.start(worker(script, '--idle-timeout', '1s')).ended;
    expect(ran.code, ran.stderr).toBe(0);
    expect(readFileSync(seen, 'utf8')).toMatch(/^draft$/m);
    expect(readFileSync(`${seen}.prompt`, 'utf8')).toContain('the tests are missing');
    expect(await review.review(id)).toMatchObject({ epoch: 2, state: 'waiting' });
    expect((await review.run('review', 'reject', id, 'never mind', '--drop')).code).toBe(0);
    expect(await review.store.task({ id })).toMatchObject({ task: { state: 'done' } });
    const again = await review.run('review', 'accept', id);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('was rejected already')]);
  });

  it('holds new claims at its limit, which status names, until a person decides', async () => {
    await using review = await reviewProject();
    const id = await review.finish('first', { first: '' });
    await review.store.addTasks({ tasks: [{ title: 'second' }] });
    const running = review.start(worker('echo > second', '--idle-timeout', '60s', '--review-limit', '1'));
    await running.sees('1 attempt waits for review, and the limit is 1');
    const status = (await review.run('fleet', 'status')).stdout;
    expect(status).toContain('1 finished attempt waits for you');
    expect(status).toMatch(/Paused +queue default: 1 attempt waits for review, and the limit is 1/);
    expect(await review.store.counts({})).toMatchObject({ ready: 1, claimed: 0 });
    expect((await review.run('review', 'accept', id)).code).toBe(0);
    await running.sees('tasks are claimed again');
    await until(async () => {
      const counts = await review.store.counts({});
      return counts.type === 'counts' && counts.done === 2;
    });
    running.child.kill('SIGTERM');
    await running.ended;
    expect((await review.run('review', 'limit')).stdout).toBe('default: 1 of 1 wait for review\n');
  });

  it('of several local repositories is accepted from any folder, each for the branch of its own', async () => {
    await using review = await reviewProject();
    const here = await review.finish('here', { here: '' });
    const added = await review.start(['task', 'add', 'there', '--repo', '.']).ended;
    expect((await review.start(worker('echo > there', '--idle-timeout', '1s')).ended).code).toBe(0);
    const there = added.stdout.trim();
    const other = path.join(review.project.home, 'other');
    execFileSync('git', ['init', '-q', other]);
    const dry = await review.start(['review', 'accept', there, '--dry-run'], { cwd: other }).ended;
    expect(dry.stdout, dry.stderr).toContain(`${there} would be landed on main`);
    const alone = await review.start(['review', 'accept', there], { cwd: other }).ended;
    expect([alone.code, alone.stderr]).toEqual([0, expect.stringContaining('the checks passed')]);
    expect((await review.run('review', 'accept', '--all')).code).toBe(0);
    expect(await review.states(here, there)).toEqual(['landed', 'landed']);
  });

  it('becomes a pull request by a command of the person, which gets the facts', async () => {
    await using review = await reviewProject();
    const id = await review.finish('a feature', { feature: '' });
    const before = review.git('rev-parse', 'main');
    const failed = await review.run('review', 'accept', id, '--pr-command', 'exit 3');
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('exit code 3')]);
    expect(await review.states(id)).toEqual(['waiting']);
    const got = path.join(review.project.home, 'got');
    const prCommand = `cat > ${got}; echo "$STOPGATE_BRANCH $STOPGATE_TARGET" > ${got}.env; echo https://forge/pr/7`;
    writeFileSync(path.join(review.project.home, '.stopgate', 'review.json'), JSON.stringify({ prCommand }));
    const end = await review.run('review', 'accept', id, '--pr');
    expect([end.code, end.stdout], end.stderr).toEqual([0, `Task ${id} has a pull request: https://forge/pr/7.\n`]);
    expect(readFileSync(`${got}.env`, 'utf8')).toBe(`sg/${id}/1 main\n`);
    expect(JSON.parse(readFileSync(got, 'utf8'))).toMatchObject({
      taskId: id,
      title: 'a feature',
      body: 'did a feature',
    });
    expect([review.git('rev-parse', 'main'), await review.states(id)]).toEqual([before, ['proposed']]);
    writeFileSync(path.join(review.project.home, '.stopgate', 'review.json'), '{"methd":"merge"}');
    const broken = await review.run('review', 'accept', '--all');
    expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('review.json')]);
  });

  it('is not decided about by an agent', async () => {
    await using review = await reviewProject();
    const id = await review.finish('its own work', { own: '' });
    await review.store.addTasks({ tasks: [{ title: 'accept it' }] });
    const told = path.join(review.project.home, 'told');
    const tries = [`accept ${id}`, `reject ${id} no`, 'land', 'limit none'];
    const script = tries.map((words) => `stopgate review ${words} >> ${told} 2>&1`).join('; ');
    await review.start(worker(`${script}; true`, '--idle-timeout', '1s')).ended;
    expect(existsSync(told)).toBe(true);
    expect(readFileSync(told, 'utf8').trim().split('\n')).toHaveLength(tries.length);
    expect(await review.states(id)).toEqual(['waiting']);
    expect(review.landed(id)).toBe(0);
  });
});
