import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../support/fleetProject.ts';
import type { RunningCommand } from '../support/project.ts';
import { type Machine, type RemoteFleet, remoteFleet, textOf } from '../support/remoteFleet.ts';
import { IS_LONG, sampleOf } from '../support/testSize.ts';

/** What happens to finished work whose remote does not take it. */

const LONG_MS = 90_000;

const add = async (machine: Machine, { remote }: RemoteFleet, ...options: string[]) => {
  const words = ['task', 'add', 'work', '--repo', remote, '--base', 'main', '--max-failures', '1', ...options];
  const { code, stdout, stderr } = await machine.run(...words);
  expect(code, stderr).toBe(0);
  return stdout.trim();
};

/** A hook of the remote, which decides about every push. */
function hookOf({ remote }: RemoteFleet, script: string) {
  const file = path.join(remote, 'hooks/pre-receive');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { remove: () => rmSync(file) };
}

const WORK = 'echo done >> made.txt; echo ran >> $HOME/runs.log';
const runsOf = ({ project }: Machine) => textOf(path.join(project.home, 'runs.log')).split('\n').length - 1;

const shown = async (machine: Machine, id: string) => (await machine.run('task', 'show', id)).stdout;

/** The remote has the branch of the first attempt, with its work. */
const isThere = (fleet: RemoteFleet, id: string) =>
  fleet.refs().includes(`refs/heads/sg/${id}/1`) && fleet.git('show', `sg/${id}/1:made.txt`) === 'done\n';

describe('a remote that does not take finished work', { timeout: LONG_MS }, () => {
  const FAILURES = [
    [
      'is away',
      'does not appear to be a git repository',
      ({ remote }: RemoteFleet) => {
        renameSync(remote, `${remote}.away`);
        return { remove: () => renameSync(`${remote}.away`, remote) };
      },
    ],
    ['refuses it', 'pre-receive hook declined', (fleet: RemoteFleet) => hookOf(fleet, 'exit 1')],
  ] as const;

  // one that refuses is below, too
  it.each(sampleOf(FAILURES, ([what]) => what === 'is away'))(
    '%s: the task is settled, its work is kept, and the next worker pushes it',
    async (_, why, fail) => {
      await using fleet = await remoteFleet();
      const machine = await fleet.machine();
      const id = await add(machine, fleet);
      const started = path.join(machine.project.home, 'started');
      const go = path.join(machine.project.home, 'go');
      const wait = `touch ${started}; while [ ! -e ${go} ]; do sleep 0.05; done; ${WORK}`;
      const worker = machine.work('one', wait);
      // its folder is a clone, for which the remote must be there
      await until(() => existsSync(started) || undefined);
      const failing = fail(fleet);
      writeFileSync(go, '');
      const { code, stderr } = await worker.ended;
      expect(code, stderr).toBe(0);
      expect(stderr).toContain(`the work of task ${id} is not on its remote`);
      expect(await fleet.task(id), stderr).toMatchObject({ state: 'done', epoch: 1 });
      const [attempt] = await fleet.attempts(id);
      expect(attempt?.details.pushProblem).toContain(why);
      expect(await shown(machine, id)).toContain(why);
      failing.remove();
      expect(isThere(fleet, id)).toBe(false);
      const next = await machine.work('two', 'exit 0').ended;
      expect(next.stderr).toContain(`the work of task ${id} is on its remote now`);
      expect([isThere(fleet, id), runsOf(machine)]).toEqual([true, 1]);
      // though its worker is not registered any more
      expect((await fleet.attempts(id))[0]?.details).toMatchObject({
        pushProblem: '',
        pushedCommit: attempt?.details.headCommit,
      });
    },
  );

  it('refuses it, and the store moves: a worker of the new store pushes it', async () => {
    await using fleet = await remoteFleet();
    const machine = await fleet.machine();
    const id = await add(machine, fleet);
    const failing = hookOf(fleet, 'exit 1');
    await machine.work('one', WORK).ended;
    failing.remove();
    const place = path.join(machine.project.home, 'moved.db');
    expect(await machine.run('store', 'move', '--to', place, '--yes')).toMatchObject({ code: 0 });
    const next = await machine.work('two', WORK, '--store', place).ended;
    expect(next.stderr).toContain(`the work of task ${id} is on its remote now`);
    expect([isThere(fleet, id), runsOf(machine)]).toEqual([true, 1]);
    const shownThere = await machine.run('task', 'show', id, '--json', '--store', place);
    expect(JSON.parse(shownThere.stdout).attempts[0].details).toMatchObject({ pushProblem: '' });
  });

  /** A push to it hangs, and the worker that pushes is killed. */
  async function killedInPush(
    fleet: RemoteFleet,
    start: (machine: Machine) => { readonly pid: () => Promise<number> },
  ) {
    const machine = await fleet.machine();
    const id = await add(machine, fleet);
    const [hanging, go] = ['hanging', 'answers'].map((name) => path.join(fleet.remote, name)) as [string, string];
    hookOf(fleet, `touch ${hanging}; while [ ! -e ${go} ]; do sleep 0.05; done`);
    const { pid } = start(machine);
    await until(() => existsSync(hanging) || undefined);
    expect(await fleet.task(id)).toMatchObject({ state: 'claimed', epoch: 1 });
    process.kill(await pid(), 'SIGKILL');
    writeFileSync(go, '');
    return { machine, id };
  }

  it('hangs while its worker is killed: the next one settles and pushes what was finished', async () => {
    await using fleet = await remoteFleet();
    const { machine, id } = await killedInPush(fleet, (one) => {
      const { child } = one.work('one', WORK);
      return { pid: async () => child.pid ?? 0 };
    });
    const next = await machine.work('one', WORK).ended;
    expect(await fleet.task(id), next.stderr).toMatchObject({ state: 'done', epoch: 1, reclaims: 0, failures: 0 });
    expect(next.stderr).toContain(`task ${id}: its agent had finished before its worker one was gone`);
    expect([isThere(fleet, id), runsOf(machine)]).toEqual([true, 1]);
    const [attempt] = await fleet.attempts(id);
    expect(attempt?.details).toMatchObject({ pushProblem: '', pushedCommit: attempt?.details.headCommit });
  });

  it.runIf(IS_LONG)('hangs while its worker is killed: one of another name settles it, too', async () => {
    await using fleet = await remoteFleet();
    const { machine, id } = await killedInPush(fleet, (one) => {
      const { child } = one.work('one', WORK);
      return { pid: async () => child.pid ?? 0 };
    });
    const next = await machine.work('two', WORK).ended;
    expect(await fleet.task(id), next.stderr).toMatchObject({ state: 'done', epoch: 1, reclaims: 0, failures: 0 });
    expect([isThere(fleet, id), runsOf(machine)]).toEqual([true, 1]);
  });

  it('hangs while a worker of a fleet is killed: the coordinator settles and pushes what was finished', async () => {
    await using fleet = await remoteFleet();
    const up = ['fleet', 'up', '--json', '--ignore-load', '-n', '1', '--slots', '1', '--agent', `sh -c '${WORK}' sh`];
    let running: RunningCommand | undefined;
    const { machine, id } = await killedInPush(fleet, ({ project, env }) => {
      running = project.start(up, { env });
      return {
        pid: async () => {
          const listed = await fleet.store.workers({ running: true });
          return (listed.type === 'workers' && listed.workers[0]?.pid) || 0;
        },
      };
    });
    await until(async () => (await fleet.task(id)).state === 'done' || undefined);
    expect(await fleet.task(id)).toMatchObject({ epoch: 1, reclaims: 0, failures: 0 });
    running?.child.kill('SIGTERM');
    const { code, lines } = (await running?.ended) ?? {};
    expect([code, lines?.some(({ type, note }) => type === 'finishing' && note.includes(id))]).toEqual([0, true]);
    expect([isThere(fleet, id), runsOf(machine)]).toEqual([true, 1]);
  });
});
