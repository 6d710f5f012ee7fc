import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import type { ChildSpec } from './childStarter.ts';
import { startOfProcess } from './processLife.ts';
import { whyNotStarted } from './whyNotStarted.ts';

export interface DetachedSpec extends Omit<ChildSpec, 'input'> {
  /** Both of its streams are appended here. */
  readonly logFile: string;
}

export interface DetachedEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

export type DetachedStart =
  | {
      readonly type: 'started';
      readonly pid: number;
      readonly pidStart: string | null;
      /** Settles only while this process runs. */
      readonly ended: Promise<DetachedEnd>;
    }
  | { readonly type: 'notStarted'; readonly reason: string };

/** Starts a process that outlives this one: in its own group and session, without pipes. */
export async function startDetached(spec: DetachedSpec): Promise<DetachedStart> {
  const { file, args, cwd, env, logFile } = spec;
  const failed = (error: unknown): DetachedStart => ({
    type: 'notStarted',
    reason: whyNotStarted(error as NodeJS.ErrnoException, spec),
  });
  let log: number | undefined;
  try {
    mkdirSync(path.dirname(logFile), { recursive: true, mode: 0o700 });
    log = openSync(logFile, 'a', 0o600);
    const child = spawn(file, [...args], { cwd, env: { ...env }, detached: true, stdio: ['ignore', log, log] });
    const { promise: ended, resolve } = Promise.withResolvers<DetachedEnd>();
    child.once('exit', (code, signal) => resolve({ code, signal }));
    const { pid } = child;
    if (pid === undefined) return failed(await new Promise((reject) => child.once('error', reject)));
    child.on('error', () => {});
    child.unref();
    return { type: 'started', pid, pidStart: startOfProcess(pid) ?? null, ended };
  } catch (error) {
    return failed(error);
  } finally {
    if (log !== undefined) closeSync(log);
  }
}
