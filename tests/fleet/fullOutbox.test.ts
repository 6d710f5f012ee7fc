import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type FleetProject, fleetProject, until } from '../support/fleetProject.ts';
import { BIN } from '../support/project.ts';

const LONG_MS = 60_000;
const AGENT = path.join(import.meta.dirname, '../support/fleetAgent.mjs');

/** A file system of its own for the outbox, which is full; only processes of this mount namespace see it. */
const IN_FULL_OUTBOX = `mount -t tmpfs -o size=64k none "$OUTBOX" && dd if=/dev/zero of="$OUTBOX/filler" bs=1k 2>/dev/null; exec "$@"`;

function whyNoMounts(): string | null {
  try {
    const own = 'd=$(mktemp -d) && mount -t tmpfs none "$d" && umount "$d" && rmdir "$d"';
    execFileSync('unshare', ['--mount', 'sh', '-c', own], { stdio: 'pipe' });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const whyNot = whyNoMounts();
if (whyNot !== null) process.stderr.write(`tests/fleet/fullOutbox is skipped, no mount namespace: ${whyNot}\n`);

const outboxOf = ({ project }: FleetProject) => path.join(project.home, '.stopgate/outbox');

/** A worker whose outbox has no space left. */
function workerOf(fleet: FleetProject) {
  const { dir, home } = fleet.project;
  mkdirSync(outboxOf(fleet), { recursive: true, mode: 0o700 });
  const words = ['worker', 'run', '--slot', 'w', '--idle-timeout', '2s', '--agent', `${process.execPath} ${AGENT}`];
  const env = { PATH: process.env.PATH ?? '', HOME: home, OUTBOX: outboxOf(fleet) };
  const inside = ['--mount', '--', 'sh', '-c', IN_FULL_OUTBOX, 'sh', process.execPath, BIN, ...words];
  const child: ChildProcess = spawn('unshare', inside, { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, stderr }));
  return { child, ended, said: () => stderr };
}

describe.skipIf(whyNot !== null)('an outbox whose disk is full', { timeout: LONG_MS }, () => {
  it('keeps no task from being settled', async () => {
    await using fleet = await fleetProject();
    const [id = ''] = await fleet.add('quick a');
    const { code, stderr } = await workerOf(fleet).ended;
    expect(code, stderr).toBe(0);
    expect(await fleet.task(id), stderr).toMatchObject({ state: 'done', epoch: 1 });
    expect(stderr).toContain('ENOSPC');
    expect(stderr).toContain('only this process has it');
    expect(fleet.lines('done.log')).toEqual(['a']);
  });

  it('and a store that is away: the worker itself has the settlement, and delivers it', async () => {
    await using fleet = await fleetProject();
    const [id = ''] = await fleet.add('hold a');
    const worker = workerOf(fleet);
    await fleet.agentOf('a');
    const lock = new DatabaseSync(path.join(fleet.project.home, '.stopgate/stopgate.db'), { timeout: 10_000 });
    lock.exec('BEGIN IMMEDIATE');
    fleet.letGo('a');
    await until(() => worker.said().includes('only this process has it') || undefined);
    await until(() => worker.said().includes('the store cannot be reached') || undefined);
    lock.close();
    const { code, stderr } = await worker.ended;
    expect(code, stderr).toBe(0);
    expect(await fleet.task(id), stderr).toMatchObject({ state: 'done', epoch: 1, failures: 0, reclaims: 0 });
    expect(fleet.lines('done.log')).toEqual(['a']);
    const folder = outboxOf(fleet);
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  });
});
