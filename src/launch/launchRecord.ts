import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../system/atomicFile.ts';
import { type Clock, repeatEvery, wallNow } from '../system/clock.ts';
import { isAlive } from '../system/processLife.ts';
import { UserError } from '../system/userError.ts';
import { whyUnwritable } from '../system/whyUnwritable.ts';
import type { LaunchReport } from './launchReport.ts';

/** A model call or a build can be silent for half an hour; the launcher is not. */
const HEARTBEAT_MS = 15_000;

export interface LaunchFacts extends Pick<LaunchReport, 'id' | 'agent' | 'folder' | 'startedAt'> {
  readonly pid: number;
  readonly endAt: string;
}

export interface LaunchRecord extends AsyncDisposable {
  /** Written by the agent's hooks at each tool call. */
  readonly activityFile: string;
  /** Written by our own agent after each request. */
  readonly spendFile: string;
  /** Called when the machine's clock was set: the budget ends at another time of day. */
  setEnd(at: number): void;
}

/**
 * `~/.stopgate/launches/<id>.json` while an agent runs: the launcher's heartbeat and the agent's last tool call, which
 * distinguish a dead launch from a quiet agent.
 */
export async function openLaunchRecord(stopgateHome: string, facts: LaunchFacts, clock: Clock): Promise<LaunchRecord> {
  const folder = path.join(stopgateHome, 'launches');
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(unwritable(folder));
  await clearDead(folder);
  const file = path.join(folder, `${facts.id}.json`);
  const activityFile = path.join(folder, `${facts.id}.activity`);
  const spendFile = path.join(folder, `${facts.id}.spend`);
  let { endAt } = facts;
  let corrected: Promise<void> = Promise.resolve();
  const beat = async () => {
    const activityAt = await stat(activityFile).then(
      ({ mtime }) => mtime.toISOString(),
      () => null,
    );
    const record = { ...facts, endAt, heartbeatAt: new Date(wallNow(clock)).toISOString(), activityAt };
    await writeFileAtomically(file, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  };
  await beat().catch(unwritable(folder));
  // a full disk must not end the agent
  const beating = repeatEvery(clock, HEARTBEAT_MS, () => beat().catch(() => {}));
  return {
    activityFile,
    spendFile,
    setEnd: (at) => {
      endAt = new Date(at).toISOString();
      // the next beat writes it too
      corrected = corrected.then(beat).catch(() => {});
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([beating[Symbol.asyncDispose](), corrected]);
      await Promise.all([file, activityFile, spendFile].map((one) => rm(one, { force: true })));
    },
  };
}

const unwritable = (folder: string) => (error: NodeJS.ErrnoException) => {
  const why = whyUnwritable(error, path.dirname(folder));
  throw new UserError(
    why ?? `${folder} cannot be written to (${error.code ?? error.message}); make room or set STOPGATE_HOME.`,
    1,
  );
};

/** Removes the files of launchers that were killed. */
async function clearDead(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const record = await readFile(path.join(folder, name), 'utf8').catch(() => '');
    const [, pid] = /"pid":(\d+)/.exec(record) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const id = name.replace(/\.json$/, '');
    const left = [name, `${id}.activity`, `${id}.spend`];
    await Promise.all(left.map((one) => rm(path.join(folder, one), { force: true })));
  }
}
