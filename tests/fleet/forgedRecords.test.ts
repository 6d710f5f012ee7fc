import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Lease } from '../../src/store/types.ts';
import { thisProcess } from '../../src/system/processLife.ts';
import { thisHost } from '../../src/system/thisHost.ts';
import { type Machine, type RemoteFleet, remoteFleet } from '../support/remoteFleet.ts';

/** What an agent writes below `~/.stopgate` by hand, in the form of Stopgate's own records. */

const GONE = { host: thisHost(), pid: 4_000_000, pidStart: '1' };

/** A task that a live worker works on: this process. */
async function claimed(fleet: RemoteFleet, machine: Machine): Promise<Lease> {
  const words = ['task', 'add', 'work', '--repo', fleet.remote, '--base', 'main'];
  const added = await machine.run(...words);
  expect(added.code, added.stderr).toBe(0);
  const by = { workerId: 'w' };
  const registered = await fleet.store.registerWorker({ ...by, ...thisProcess() });
  const { incarnation } = registered as Extract<typeof registered, { incarnation: number }>;
  const claim = await fleet.store.claim({ ...by, incarnation, claimKey: 'k' });
  if (claim.type !== 'claimed') throw new Error(JSON.stringify(claim));
  return claim.lease;
}

function plant(machine: Machine, folder: string, { attemptId }: Lease, record: object): string {
  const file = path.join(machine.env.STOPGATE_HOME ?? '', folder, `${attemptId}.json`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(record)}\n`);
  return file;
}

const locationOf = async ({ store }: RemoteFleet) => {
  const about = await store.about({});
  return about.type === 'about' ? about.location : '';
};

describe('a record that an agent wrote', { timeout: 90_000 }, () => {
  it('of finished work completes no task', async () => {
    await using fleet = await remoteFleet();
    const machine = await fleet.machine();
    const lease = await claimed(fleet, machine);
    const store = await locationOf(fleet);
    const tail = { text: 'all done', errors: '' };
    const folder = machine.project.home;
    const file = plant(machine, 'outbox/ended', lease, { version: 1, store, process: GONE, lease, folder, tail });
    const { stderr } = await machine.work('other', 'exit 1').ended;
    const [first] = await fleet.attempts(lease.taskId);
    expect(first?.state, stderr).not.toBe('succeeded');
    expect(stderr).toContain(`${file} was not written by Stopgate`);
  });

  it('of a settlement completes no task', async () => {
    await using fleet = await remoteFleet();
    const machine = await fleet.machine();
    const lease = await claimed(fleet, machine);
    const store = await locationOf(fleet);
    const request = { lease, result: 'all done' };
    const file = plant(machine, 'outbox', lease, { version: 1, store, keptAt: 1, operation: 'complete', request });
    const { stderr } = await machine.work('other', 'exit 1').ended;
    const [first] = await fleet.attempts(lease.taskId);
    expect(first?.state, stderr).not.toBe('succeeded');
    expect(stderr).toContain(`${file} is not a settlement that Stopgate wrote`);
  });

  it('of unpushed work pushes nothing', async () => {
    await using fleet = await remoteFleet();
    const machine = await fleet.machine();
    const lease = await claimed(fleet, machine);
    const repository = path.join(machine.project.home, 'own');
    const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' });
    execFileSync('git', ['clone', '-q', fleet.remote, repository]);
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'planted');
    const before = { commit: fleet.git('rev-parse', 'main').trim(), wip: null };
    const work = { version: 1, store: await locationOf(fleet), lease, repository, branch: 'main', before };
    const file = plant(machine, 'unpushed', lease, work);
    const { stderr } = await machine.work('other', 'exit 1').ended;
    expect(fleet.git('rev-parse', 'main').trim(), stderr).toBe(before.commit);
    expect(stderr).toContain(`${file} was not written by Stopgate`);
    expect(existsSync(file)).toBe(true);
  });
});
