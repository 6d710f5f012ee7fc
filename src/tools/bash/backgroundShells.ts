import { createWriteStream, mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Clock, systemClock } from '../../system/clock.ts';
import type { ProcessEnd, ProcessRunner, ProcessSpec } from '../../system/processes.ts';
import { runShell } from './runShell.ts';
import type { Sandbox } from './sandbox.ts';
import { findShell, IN_ORDER, sourcing } from './shellScript.ts';
import { UnreadText } from './unreadText.ts';

type BackgroundShellStatus = 'running' | 'completed' | 'failed' | 'killed';

export interface BackgroundShell {
  readonly id: string;
  readonly command: string;
  readonly description: string;
  readonly status: BackgroundShellStatus;
  readonly startedAt: number;
  /** Its output, up to a limit. */
  readonly outputFile?: string;
  readonly endedAt?: number;
  readonly exitCode?: number;
  /** Why it failed without an exit code: a signal, or it never started. */
  readonly reason?: string;
}

interface BackgroundShellOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Unread characters that no longer fit. */
  readonly lostCharacters: number;
}

interface BackgroundShellRequest {
  readonly command: string;
  readonly description?: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The shell sources it before the command. */
  readonly envFile?: string | undefined;
  readonly sandbox?: Sandbox | undefined;
}

/** A running command whose call is over. */
interface MovedCommand {
  readonly command: string;
  readonly description?: string | undefined;
  readonly ended: Promise<ProcessEnd>;
  readonly stop: AbortController;
  /** Its output so far. */
  readonly before: string;
  /** Receives its output from now on. */
  readonly follow: (onOutput: OnOutput) => void;
}

type OnOutput = NonNullable<ProcessSpec['onOutput']>;

/** As in Claude Code: a moved command must not keep a session open for hours. */
const MOVED_LIMIT_MS = 600_000;

/** Commands that outlive the call that started them: one list per agent. */
export interface BackgroundShells {
  start(request: BackgroundShellRequest): BackgroundShell;
  /** Takes over a running command, and stops it after `MOVED_LIMIT_MS`. */
  adopt(moved: MovedCommand): BackgroundShell;
  list(): readonly BackgroundShell[];
  get(id: string): BackgroundShell | undefined;
  /** The output since the last read. */
  readNew(id: string): BackgroundShellOutput | undefined;
  /** Resolves with its final state. */
  stop(id: string): Promise<BackgroundShell | undefined>;
  stopAll(): Promise<void>;
  whenEnded(id: string): Promise<BackgroundShell | undefined>;
}

interface Entry {
  shell: BackgroundShell;
  readonly stdout: UnreadText;
  readonly stderr: UnreadText;
  readonly stop: AbortController;
  ended: Promise<void>;
  /** Why Stopgate stopped it. */
  reason?: string;
}

/** Records output for BashOutput and for the file, which has all of it. */
function recordOutput({ shell, stdout, stderr }: Entry, before = '') {
  const file = openOutputFile(shell.outputFile);
  if (before !== '') file.write(before);
  const unread = { stdout, stderr };
  return {
    write: (stream: 'stdout' | 'stderr', chunk: string) => {
      unread[stream].push(chunk);
      file.write(chunk);
    },
    close: file.close,
  };
}

function describeEnd(end: ProcessEnd, reason?: string): Pick<BackgroundShell, 'status' | 'exitCode' | 'reason'> {
  if (reason !== undefined) return { status: 'failed', reason };
  if (end.type === 'exited') return { status: end.code === 0 ? 'completed' : 'failed', exitCode: end.code };
  if (end.type === 'signalled') return { status: 'failed', reason: `Killed by ${end.signal}.` };
  if (end.type === 'notStarted') return { status: 'failed', reason: end.error };
  return { status: 'killed' };
}

function endWhenLate(entry: Entry, clock: Clock): void {
  const over = new AbortController();
  void entry.ended.then(() => over.abort());
  void clock.sleep(MOVED_LIMIT_MS, over.signal).then(() => {
    if (over.signal.aborted) return;
    entry.reason = 'It was stopped 10m after it was moved to the background';
    entry.stop.abort();
  });
}

interface ShellsOptions {
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  readonly outputFolder?: string | undefined;
}

/** The optional signal ends all shells. */
export function backgroundShells(
  processes: ProcessRunner,
  { clock = systemClock, signal, outputFolder }: ShellsOptions = {},
): BackgroundShells {
  const entries = new Map<string, Entry>();

  function run(entry: Entry, { command, cwd, env, envFile, sandbox }: BackgroundShellRequest): Promise<void> {
    const shell = findShell(env);
    const start = { file: shell.file, args: [...shell.args, `${IN_ORDER}${sourcing(envFile)}${command}`], cwd, env };
    const output = recordOutput(entry);
    const ended = runShell(processes, {
      start,
      sandbox,
      // `onOutput` receives everything
      maxOutputBytes: 0,
      signal: signal ? AbortSignal.any([signal, entry.stop.signal]) : entry.stop.signal,
      onOutput: output.write,
    });
    return settle(entry, ended, async () => {
      for (const sentence of (await sandbox?.settle()) ?? []) output.write('stderr', `${sentence}\n`);
      await output.close();
    });
  }

  async function settle(entry: Entry, ended: Promise<ProcessEnd>, close: () => Promise<void>): Promise<void> {
    const end = await ended;
    await close();
    entry.shell = { ...entry.shell, ...describeEnd(end, entry.reason), endedAt: clock.now() };
  }

  function add(command: string, description = command, stop = new AbortController()): Entry {
    const id = `bash_${entries.size + 1}`;
    const outputFile = outputFolder === undefined ? {} : { outputFile: path.join(outputFolder, `${id}.output`) };
    const shell = { id, command, description, status: 'running', startedAt: clock.now(), ...outputFile } as const;
    const entry = { shell, stdout: new UnreadText(), stderr: new UnreadText(), stop, ended: Promise.resolve() };
    entries.set(id, entry);
    return entry;
  }

  async function stop(id: string): Promise<BackgroundShell | undefined> {
    entries.get(id)?.stop.abort();
    await entries.get(id)?.ended;
    return entries.get(id)?.shell;
  }

  return {
    start(request) {
      const entry = add(request.command, request.description);
      entry.ended = run(entry, request);
      return entry.shell;
    },
    adopt({ command, description, ended, stop, before, follow }) {
      const entry = add(command, description, stop);
      const output = recordOutput(entry, before);
      follow(output.write);
      const abort = () => stop.abort();
      signal?.addEventListener('abort', abort, { once: true });
      entry.ended = settle(entry, ended, output.close).finally(() => signal?.removeEventListener('abort', abort));
      endWhenLate(entry, clock);
      return entry.shell;
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

/** Endless output must not fill the disk. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

interface OutputFile {
  write(text: string): void;
  close(): Promise<void>;
}

const NO_FILE: OutputFile = { write: () => {}, close: async () => {} };

/** Stores the output of a background command. A full disk ends the file, not the command. */
function openOutputFile(file: string | undefined): OutputFile {
  if (file === undefined) return NO_FILE;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  } catch {
    return NO_FILE;
  }
  const stream = createWriteStream(file, { mode: 0o600 });
  let failed = false;
  stream.on('error', () => {
    failed = true;
  });
  let bytes = 0;
  return {
    write(text) {
      if (failed || bytes > MAX_FILE_BYTES) return;
      bytes += Buffer.byteLength(text);
      stream.write(bytes > MAX_FILE_BYTES ? `\n[The rest was discarded: the output is larger than 64 MB.]\n` : text);
    },
    close: () => new Promise((resolve) => (failed ? resolve() : stream.end(() => resolve()))),
  };
}
