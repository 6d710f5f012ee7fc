import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { startOfProcess } from './processLife.ts';
import { whyNotStarted } from './whyNotStarted.ts';

export interface DetachedSpec {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where both of its streams go, behind what is there. */
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
      /** Of use only while we live. */
      readonly ended: Promise<DetachedEnd>;
    }
  | { readonly type: 'notStarted'; readonly reason: string };

/** A process that outlives us: a group and a session of its own, and no pipe that would break when we are gone. */
export async function startDetached(spec: DetachedSpec): Promise<DetachedStart> {
  const { file, args, cwd, env, logFile } = spec;
  const failed = (error: unknown): DetachedStart => ({
    type: 'notStarted',
    reason: whyNotStarted(error as NodeJS.ErrnoException, { file, args, cwd, env }),
  });
  let log: number | undefined;
  try {
    mkdirSync(path.dirname(logFile), { recursive: true, mode: 0o700 });
    log = openSync(logFile, 'a', 0o600);
    const child = spawn(file, [...args], { cwd, env: { ...env }, detached: true, stdio: ['ignore', log, log] });
    const { promise: ended, resolve } = Promise.withResolvers<DetachedEnd>();
    child.once('exit', (code, signal) => resolve({ code, signal }));
    const { pid } = child;
    if (pid === undefined) return failed(await new Promise((tell) => child.once('error', tell)));
    child.on('error', () => {});
    child.unref();
    return { type: 'started', pid, pidStart: startOfProcess(pid) ?? null, ended };
  } catch (error) {
    return failed(error);
  } finally {
    if (log !== undefined) closeSync(log);
  }
}
