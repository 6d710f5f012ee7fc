import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitFiles } from '../support/commitFiles.ts';
import { startPostgres } from '../support/postgresServer.ts';
import type { CommandOptions } from '../support/project.ts';
import { type Machine, type RemoteFleet, remoteFleet } from '../support/remoteFleet.ts';
import { IS_LONG } from '../support/testSize.ts';

const LONG_MS = 120_000;
/** Most of their time is waiting. */
const APART = { timeout: LONG_MS, concurrent: true };
const KILLER = path.join(import.meta.dirname, '../support/killAtLine.cjs');
const NAMED = ['-c', 'user.name=a', '-c', 'user.email=a@b'];

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', [...NAMED, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

const commitByPerson = ({ remote }: RemoteFleet, file: string, text = '') =>
  commitFiles(remote, { branch: 'main', from: 'main', message: `a person adds ${file}`, files: { [file]: text } });

/** What a person at a clone does; returns the clone. */
function pushByPerson({ project }: Machine, { remote }: RemoteFleet, file: string, text = ''): string {
  const clone = path.join(project.home, `person-${file}`);
  git(project.home, 'clone', '-q', remote, clone);
  writeFileSync(path.join(clone, file), text);
  git(clone, 'add', '.');
  git(clone, 'commit', '-qm', `a person adds ${file}`);
  git(clone, 'push', '-q', 'origin', 'HEAD:main');
  return clone;
}

interface Work {
  readonly verify?: string;
  /** Its base is `main`; else it has none. */
  readonly hasBase?: boolean;
  /** Other files that it writes. */
  readonly also?: Readonly<Record<string, string>>;
}

/** A task that a worker would have done on a machine: its branch is on the remote, and nowhere else. */
async function finish(fleet: RemoteFleet, file: string, { verify, hasBase = true, also = {} }: Work = {}) {
  const { store } = fleet;
  const by = { workerId: `w-${file}` };
  const registered = await store.registerWorker(by);
  const incarnation = registered.type === 'registered' ? registered.incarnation : 0;
  await store.addTasks({
    tasks: [{ title: file, repository: fleet.url, ...(hasBase && { base: 'main' }), ...(verify && { verify }) }],
  });
  const claimed = await store.claim({ ...by, incarnation, claimKey: file });
  if (claimed.type !== 'claimed') throw new Error(JSON.stringify(claimed));
  const { lease } = claimed;
  const branch = `sg/${lease.taskId}/${lease.epoch}`;
  commitFiles(fleet.remote, { branch, from: 'main', message: file, files: { [file]: '', ...also } });
  const [baseCommit = '', headCommit = ''] = fleet.git('rev-parse', 'main', branch).split('\n');
  const details = { branch, baseCommit, headCommit };
  const done = await store.complete({ lease, result: `did ${file}`, details });
  if (done.type !== 'accepted') throw new Error(JSON.stringify(done));
  const taken = verify ? await store.takeVerification({ holder: 'v', ttlMs: 60_000 }) : null;
  if (taken?.type === 'taken')
    await store.settleVerification({ taskId: lease.taskId, verifyEpoch: taken.verifyEpoch, verdict: 'pass' });
  return lease.taskId;
}

/** A task that a worker does, in the clone of its machine. */
async function workOn({ remote }: RemoteFleet, machine: Machine, file: string): Promise<string> {
  const added = await machine.run('task', 'add', file, '--repo', remote, '--base', 'main');
  const worked = await machine.work('one', `touch ${file}; git add -A; git ${NAMED.join(' ')} commit -qm ${file}`)
    .ended;
  expect([added.code, worked.code], added.stderr + worked.stderr).toEqual([0, 0]);
  return added.stdout.trim();
}

/** A program of the server. */
function addHook({ remote }: RemoteFleet, name: string, script: string): string {
  const hook = path.join(remote, 'hooks', name);
  mkdirSync(path.dirname(hook), { recursive: true });
  writeFileSync(hook, `#!/bin/sh\n${script}\n`);
  chmodSync(hook, 0o755);
  return hook;
}

const landedOn = (fleet: RemoteFleet, id: string) =>
  fleet.git('log', '--format=%H', `--grep=^Stopgate-Task: ${id}$`, 'main').split('\n').filter(Boolean).length;
const filesOn = (fleet: RemoteFleet) => fleet.git('ls-tree', '--name-only', 'main').trim().split('\n');

async function reviewOf({ store }: RemoteFleet, taskId: string) {
  const states = ['waiting', 'accepted', 'landing', 'landed', 'returned'] as const;
  const listed = await store.reviews({ taskId, states });
  return listed.type === 'reviews' ? listed.reviews.at(-1) : undefined;
}

const start = ({ project, env }: Machine, args: readonly string[], options: CommandOptions = {}) =>
  project.start(args, { ...options, env: { ...env, ...options.env } }).ended;

describe('work on a remote, landed from a machine without a clone', APART, () => {
  it('is fetched, shown, and landed on the new tip of the remote by a push', async () => {
    await using server = await startPostgres();
    await using fleet = await remoteFleet(server.url);
    const [one, two] = [await fleet.machine(), await fleet.machine()];
    const ids = [await workOn(fleet, one, 'x'), await finish(fleet, 'y', { verify: 'test ! -e red' })];
    const list = await two.run('review');
    expect(list.stdout.match(/1 file \+0 -0/g), list.stderr).toHaveLength(2);
    const show = await two.run('review', 'show', ids[0] ?? '', '--diff');
    expect(show.stdout, show.stderr).toContain('diff --git a/x b/x');
    // one machine accepts, the other one lands; a person moves the branch in between
    expect((await one.run('review', 'accept', ids[0] ?? '', '--no-land')).code).toBe(0);
    const gone = await finish(fleet, 'z');
    expect((await one.run('review', 'accept', gone, '--no-land')).code).toBe(0);
    fleet.git('branch', '-D', `sg/${gone}/1`);
    commitByPerson(fleet, 'person');
    const end = await two.run('review', 'accept', ids[1] ?? '');
    expect(end.code, end.stderr).toBe(0);
    expect(end.stderr).toContain('so no definition of done that you trusted is known: only what tasks name is checked');
    expect(end.stdout).toContain('`git pull` gets it');
    expect(await Promise.all(ids.map(async (id) => (await reviewOf(fleet, id))?.state))).toEqual(['landed', 'landed']);
    expect(await reviewOf(fleet, ids[0] ?? '')).toMatchObject({ repository: fleet.url, target: 'main' });
    expect(filesOn(fleet)).toEqual(expect.arrayContaining(['file.txt', 'person', 'x', 'y']));
    expect([...ids, gone].map((id) => landedOn(fleet, id))).toEqual([1, 1, 0]);
    const reason = expect.stringContaining(`is not on ${fleet.url}; accept it on the machine that has it.`);
    expect(await reviewOf(fleet, gone)).toMatchObject({ state: 'returned', reason });
  });

  it('lands on the new tip when a person pushes during the checks', async () => {
    await using fleet = await remoteFleet();
    const machine = await fleet.machine();
    const flag = path.join(machine.project.home, 'moved');
    const clone = pushByPerson(machine, fleet, 'before');
    const push = `git -C ${clone} ${NAMED.join(' ')} commit -q --allow-empty -m during`;
    const verify = `test -e ${flag} || { touch ${flag}; ${push}; git -C ${clone} push -q origin HEAD:main; }`;
    const id = await finish(fleet, 'x', { verify });
    const end = await machine.run('review', 'accept', id, '--squash');
    expect(end.code, end.stderr).toBe(0);
    expect(end.stderr).toContain('main was moved by another process; landing on its new tip');
    expect(fleet.git('log', '--format=%s', 'main').trim().split('\n').slice(0, 2)).toEqual(['x', 'during']);
  });

  it('comes back with the reason when the remote refuses it, and nothing changes', async () => {
    await using fleet = await remoteFleet();
    const machine = await fleet.machine();
    const id = await finish(fleet, 'x');
    const hook = addHook(fleet, 'pre-receive', 'echo "main is frozen until Monday" >&2; exit 1');
    const before = fleet.git('rev-parse', 'main');
    const end = await machine.run('review', 'accept', id, '--requeue');
    expect(end.code, end.stderr).toBe(1);
    const reason = `main was not moved: ${fleet.url} refused it: pre-receive hook declined (main is frozen until Monday)`;
    expect(await reviewOf(fleet, id)).toMatchObject({ state: 'returned', reason });
    expect(end.stderr).toContain(reason);
    expect(fleet.git('rev-parse', 'main')).toBe(before);
    rmSync(hook);
    expect([(await machine.run('review', 'accept', id)).code, landedOn(fleet, id)]).toEqual([0, 1]);
  });

  it('is recorded when the answer to the push is lost, on the branch of the remote HEAD without a base', async () => {
    await using fleet = await remoteFleet();
    const machine = await fleet.machine();
    const id = await finish(fleet, 'x', { hasBase: false });
    // the server dies before it has moved the branch
    const hook = addHook(fleet, 'pre-receive', 'kill -9 $PPID');
    expect((await machine.run('review', 'accept', id)).code).toBe(1);
    expect([(await reviewOf(fleet, id))?.state, landedOn(fleet, id)]).toEqual(['returned', 0]);
    rmSync(hook);
    // the server dies after it has moved the branch
    addHook(fleet, 'reference-transaction', '[ "$1" != committed ] || kill -9 $PPID');
    const end = await machine.run('review', 'accept', id);
    expect([end.code, landedOn(fleet, id)], end.stderr).toEqual([0, 1]);
    expect(await reviewOf(fleet, id)).toMatchObject({ state: 'landed', target: 'main' });
  });

  // tests/fleet/landing.test.ts has the same of a local branch
  it.runIf(IS_LONG)('is held to the commands of its task, with the scripts of the target branch', async () => {
    await using fleet = await remoteFleet();
    const machine = await fleet.machine();
    commitByPerson(fleet, 'rule.sh', 'test ! -e red\n');
    const id = await finish(fleet, 'red', { verify: 'sh rule.sh', also: { 'rule.sh': 'exit 0\n' } });
    const end = await machine.run('review', 'accept', id);
    expect([end.code, (await reviewOf(fleet, id))?.state], end.stderr).toEqual([1, 'returned']);
    expect([landedOn(fleet, id), (await reviewOf(fleet, id))?.reason]).toEqual([
      0,
      expect.stringContaining('exited 1'),
    ]);
  });

  it('does not land twice after kill -9 between the push and its record', async () => {
    await using fleet = await remoteFleet();
    const machine = await fleet.machine();
    const id = await finish(fleet, 'x');
    const nodeArgs = ['--require', KILLER];
    const killed = await start(machine, ['review', 'accept', id], { env: { KILL_AT: 'is now at' }, nodeArgs });
    expect(killed.signal, killed.stderr).toBe('SIGKILL');
    expect([(await reviewOf(fleet, id))?.state, landedOn(fleet, id)]).toEqual(['landing', 1]);
    // while the remote is away, nothing is decided
    const away = `${fleet.remote}.away`;
    execFileSync('mv', [fleet.remote, away]);
    expect((await (await fleet.machine()).run('review')).stderr).toContain(`could not be fetched: ${fleet.url}`);
    const blind = await machine.run('review', 'land');
    expect([blind.code, (await reviewOf(fleet, id))?.state], blind.stderr).toEqual([1, 'landing']);
    execFileSync('mv', [away, fleet.remote]);
    commitByPerson(fleet, 'later');
    const second = await machine.run('review', 'land');
    expect(second.code, second.stderr).toBe(0);
    expect(second.stderr).toContain('is on main already, which was not recorded');
    expect([(await reviewOf(fleet, id))?.state, landedOn(fleet, id)]).toEqual(['landed', 1]);
  });

  it('passes the definition of done that the person trusted in a clone, whose own branches stay', async () => {
    await using fleet = await remoteFleet();
    const machine = await fleet.machine();
    const config = '{"checks":[{"name":"rule","command":"test ! -e red"}]}';
    const clone = pushByPerson(machine, fleet, 'stopgate.config.json', config);
    const ids = [await finish(fleet, 'x'), await finish(fleet, 'red')];
    const head = git(clone, 'rev-parse', 'main');
    const end = await start(machine, ['review', 'accept', ...ids], {
      cwd: clone,
      env: { STOPGATE_TRUST_PROJECT: '1' },
    });
    expect(await Promise.all(ids.map(async (id) => (await reviewOf(fleet, id))?.state)), end.stderr).toEqual([
      ...['landed', 'returned'],
    ]);
    expect((await reviewOf(fleet, ids[1] ?? ''))?.reason).toContain('rule exited 1');
    expect([git(clone, 'rev-parse', 'main'), git(clone, 'status', '--porcelain')]).toEqual([head, '']);
    git(clone, 'pull', '-q');
    expect(git(clone, 'ls-files')).toMatch(/^x$/m);
  });
});
