import path from 'node:path';
import { type Clock, systemClock } from '../../system/clock.ts';
import type { ProcessEnd, ProcessRunner } from '../../system/processes.ts';
import { openOutputFile } from './outputFile.ts';
import { runShell } from './runShell.ts';
import type { Sandbox } from './sandbox.ts';
import { findShell, IN_ORDER, sourcing } from './shellScript.ts';
import { UnreadText } from './unreadText.ts';

export type BackgroundShellStatus = 'running' | 'completed' | 'failed' | 'killed';

export interface BackgroundShell {
  readonly id: string;
  readonly command: string;
  readonly description: string;
  readonly status: BackgroundShellStatus;
  readonly startedAt: number;
  /** Everything it prints, as far as it fits. */
  readonly outputFile?: string;
  readonly endedAt?: number;
  readonly exitCode?: number;
  /** Why it failed where there is no exit code: a signal, or it never started. */
  readonly reason?: string;
}

export interface BackgroundShellOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Characters that came while nobody read and no longer fit. */
  readonly lostCharacters: number;
}

export interface BackgroundShellRequest {
  readonly command: string;
  readonly description?: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Read by the shell before the command. */
  readonly envFile?: string | undefined;
  /** Where it runs; absent where it runs as we do. */
  readonly sandbox?: Sandbox | undefined;
}

/** Commands that outlive the call that started them: one list an agent. */
export interface BackgroundShells {
  start(request: BackgroundShellRequest): BackgroundShell;
  list(): readonly BackgroundShell[];
  get(id: string): BackgroundShell | undefined;
  /** What came since the last read. */
  readNew(id: string): BackgroundShellOutput | undefined;
  /** Resolves once it is gone, with how it is then. */
  stop(id: string): Promise<BackgroundShell | undefined>;
  stopAll(): Promise<void>;
  /** Resolves when it ended by itself or was stopped. */
  whenEnded(id: string): Promise<BackgroundShell | undefined>;
}

interface Entry {
  shell: BackgroundShell;
  readonly stdout: UnreadText;
  readonly stderr: UnreadText;
  readonly stop: AbortController;
  ended: Promise<void>;
}

/** How an end of the process reads for its shell. */
function describeEnd(end: ProcessEnd): Pick<BackgroundShell, 'status' | 'exitCode' | 'reason'> {
  if (end.type === 'exited') return { status: end.code === 0 ? 'completed' : 'failed', exitCode: end.code };
  if (end.type === 'signalled') return { status: 'failed', reason: `It was ended by ${end.signal}.` };
  if (end.type === 'notStarted') return { status: 'failed', reason: end.error };
  return { status: 'killed' };
}

interface ShellsOptions {
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  readonly outputFolder?: string | undefined;
}

/** Shells on a process runner; the signal, when there is one, ends them all. */
export function backgroundShells(
  processes: ProcessRunner,
  { clock = systemClock, signal, outputFolder }: ShellsOptions = {},
): BackgroundShells {
  const entries = new Map<string, Entry>();

  function run(entry: Entry, { command, cwd, env, envFile, sandbox }: BackgroundShellRequest): Promise<void> {
    const shell = findShell(env);
    const start = { file: shell.file, args: [...shell.args, `${IN_ORDER}${sourcing(envFile)}${command}`], cwd, env };
    const output = openOutputFile(entry.shell.outputFile);
    const ended = runShell(processes, {
      start,
      sandbox,
      // all of it goes to `onOutput`
      maxOutputBytes: 0,
      signal: signal ? AbortSignal.any([signal, entry.stop.signal]) : entry.stop.signal,
      onOutput: (stream, chunk) => {
        entry[stream].push(chunk);
        output.write(chunk);
      },
    });
    return ended.then(async (end) => {
      for (const sentence of (await sandbox?.settle()) ?? []) {
        entry.stderr.push(`${sentence}\n`);
        output.write(`${sentence}\n`);
      }
      await output.close();
      entry.shell = { ...entry.shell, ...describeEnd(end), endedAt: clock.now() };
    });
  }

  async function stop(id: string): Promise<BackgroundShell | undefined> {
    entries.get(id)?.stop.abort();
    await entries.get(id)?.ended;
    return entries.get(id)?.shell;
  }

  return {
    start(request) {
      const id = `bash_${entries.size + 1}`;
      const { command, description = command } = request;
      const outputFile = outputFolder === undefined ? {} : { outputFile: path.join(outputFolder, `${id}.output`) };
      const shell = { id, command, description, status: 'running', startedAt: clock.now(), ...outputFile } as const;
      const texts = { stdout: new UnreadText(), stderr: new UnreadText() };
      const entry: Entry = { shell, ...texts, stop: new AbortController(), ended: Promise.resolve() };
      entry.ended = run(entry, request);
      entries.set(id, entry);
      return shell;
    },
    list: () => [...entries.values()].map((entry) => entry.shell),
    get: (id) => entries.get(id)?.shell,
    readNew(id) {
      const entry = entries.get(id);
      if (!entry) return undefined;
      const [stdout, stderr] = [entry.stdout.take(), entry.stderr.take()];
      return { stdout: stdout.text, stderr: stderr.text, lostCharacters: stdout.lost + stderr.lost };
    },
    stop,
    async stopAll() {
      await Promise.all([...entries.keys()].map(stop));
    },
    async whenEnded(id) {
      await entries.get(id)?.ended;
      return entries.get(id)?.shell;
    },
  };
}
