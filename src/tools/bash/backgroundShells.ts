import { createWriteStream, mkdirSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../system/attempt.ts';
import { type Clock, systemClock } from '../../system/clock.ts';
import type { ProcessEnd, ProcessRunner, ProcessSpec } from '../../system/processes.ts';
import { runShell } from './runShell.ts';
import type { Sandbox } from './sandbox.ts';
import { findShell, IN_ORDER, sourcing } from './shellScript.ts';
import { UnreadText } from './unreadText.ts';

export interface BackgroundShell {
  readonly id: string;
  readonly command: string;
  readonly description: string;
  readonly status: 'running' | 'completed' | 'failed' | 'killed';
  /** Its output, up to a limit. */
  readonly outputFile: string | undefined;
  readonly exitCode?: number;
  /** Why it failed without an exit code: a signal, or it never started. */
  readonly reason?: string;
}

interface NewShell {
  readonly command: string;
  readonly description?: string | undefined;
}

interface BackgroundShellRequest extends NewShell {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The shell sources it before the command. */
  readonly envFile?: string | undefined;
  readonly sandbox?: Sandbox | undefined;
}

/** A running command whose call is over. */
interface MovedCommand extends NewShell {
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
export type BackgroundShells = ReturnType<typeof backgroundShells>;

interface Entry {
  shell: BackgroundShell;
  readonly stdout: UnreadText;
  readonly stderr: UnreadText;
  readonly file: OutputFile;
  readonly stop: AbortController;
  ended: Promise<void>;
  /** Why Stopgate stopped it. */
  reason?: string;
}

/** Records output for BashOutput and for the file, which has all of it. */
function recorder(entry: Entry): OnOutput {
  return (stream, chunk) => {
    entry[stream].push(chunk);
    entry.file.write(chunk);
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

export function backgroundShells(
  processes: ProcessRunner,
  { clock = systemClock, outputFolder }: { readonly clock?: Clock; readonly outputFolder?: string | undefined } = {},
) {
  const entries = new Map<string, Entry>();

  function add({ command, description = command }: NewShell, stop: AbortController): Entry {
    const id = `bash_${entries.size + 1}`;
    const outputFile = outputFolder === undefined ? undefined : path.join(outputFolder, `${id}.output`);
    const entry: Entry = {
      shell: { id, command, description, status: 'running', outputFile },
      stdout: new UnreadText(),
      stderr: new UnreadText(),
      file: openOutputFile(outputFile),
      stop,
      ended: Promise.resolve(),
    };
    entries.set(id, entry);
    return entry;
  }

  async function settle(entry: Entry, ended: Promise<ProcessEnd>): Promise<void> {
    const end = await ended;
    await entry.file.close();
    entry.shell = { ...entry.shell, ...describeEnd(end, entry.reason) };
  }

  async function whenEnded(id: string): Promise<BackgroundShell | undefined> {
    await entries.get(id)?.ended;
    return entries.get(id)?.shell;
  }

  return {
    start(request: BackgroundShellRequest): BackgroundShell {
      const { command, cwd, env, envFile, sandbox } = request;
      const entry = add(request, new AbortController());
      const { file, args } = findShell(env);
      const onOutput = recorder(entry);
      const ended = runShell(processes, {
        start: { file, args: [...args, `${IN_ORDER}${sourcing(envFile)}${command}`], cwd, env },
        sandbox,
        // `onOutput` receives everything
        maxOutputBytes: 0,
        signal: entry.stop.signal,
        onOutput,
      }).finally(async () => {
        for (const sentence of (await sandbox?.settle()) ?? []) onOutput('stderr', `${sentence}\n`);
      });
      entry.ended = settle(entry, ended);
      return entry.shell;
    },
    /** Takes over a running command, and stops it after `MOVED_LIMIT_MS`. */
    adopt({ ended, stop, before, follow, ...moved }: MovedCommand): BackgroundShell {
      const entry = add(moved, stop);
      entry.file.write(before);
      follow(recorder(entry));
      entry.ended = settle(entry, ended);
      endWhenLate(entry, clock);
      return entry.shell;
    },
    list: (): readonly BackgroundShell[] => [...entries.values()].map((entry) => entry.shell),
    get: (id: string): BackgroundShell | undefined => entries.get(id)?.shell,
    /** The output since the last read, and how many unread characters no longer fit. */
    readNew(id: string) {
      const entry = entries.get(id);
      if (!entry) return undefined;
      const [stdout, stderr] = [entry.stdout.take(), entry.stderr.take()];
      return { stdout: stdout.text, stderr: stderr.text, lostCharacters: stdout.lost + stderr.lost };
    },
    stop(id: string): Promise<BackgroundShell | undefined> {
      entries.get(id)?.stop.abort();
      return whenEnded(id);
    },
    whenEnded,
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
  // a folder that cannot be made is an error of the stream
  attempt(() => mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 }), undefined);
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
