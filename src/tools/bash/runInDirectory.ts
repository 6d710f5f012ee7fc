import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessEnd } from '../../system/processes.ts';
import type { ToolProgress } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import type { BackgroundShell } from './backgroundShells.ts';
import { mayMove } from './movedOutcome.ts';
import { type ShellLimits, shellLimits } from './shellLimits.ts';
import { findShell, scriptThatTellsDirectory } from './shellScript.ts';
import { type StartedCommand, startCommand } from './startCommand.ts';
import { followTo, startDirectory } from './startDirectory.ts';

const PROGRESS_EVERY_MS = 1000;

interface Run {
  readonly command: string;
  readonly limits: ShellLimits;
  /** Sentences on what was not as expected. */
  readonly notes: readonly string[];
}

export interface EndedRun extends Run {
  readonly type: 'ended';
  readonly end: ProcessEnd;
}

/** It outlived its timeout and goes on in the background. */
export interface MovedRun extends Run {
  readonly type: 'moved';
  readonly shell: BackgroundShell;
  /** What it had printed by then, without the `lost` characters before that. */
  readonly said: string;
  readonly lost: number;
}

export interface ShellInput {
  readonly command: string;
  readonly timeout?: number | undefined;
  readonly description?: string | undefined;
}

/** Runs a command where the last one ended, and follows it to where this one ends. */
export async function* runInDirectory(
  input: ShellInput,
  context: ToolContext,
): AsyncGenerator<ToolProgress, EndedRun | MovedRun> {
  const { command } = input;
  const directory = await startDirectory(context.directory);
  const shell = findShell(context.env);
  const limits = shellLimits(input.timeout, context.env);
  await using told = await directoryFile(context.env.TMPDIR ?? tmpdir());
  const script = [...shell.args, scriptThatTellsDirectory(command, told.path, context.envFile)];
  const place = { file: shell.file, args: script, cwd: directory.path };
  const started = startCommand(place, { limits, moves: mayMove(command, context.env), context });
  const run = { command, limits, notes: [directory.note, shell.note].filter((note) => note !== undefined) };
  try {
    const end = yield* showUntilEnded(started, limits.timeoutMs, context);
    if (end === 'late') return { type: 'moved', ...run, ...started.move(input, context) };
    const moved =
      end.type === 'exited'
        ? await followTo(context.directory, directory.path, await told.read(), context.workingFolders)
        : undefined;
    return { type: 'ended', ...run, end, notes: [...run.notes, ...(moved === undefined ? [] : [moved])] };
  } finally {
    // a caller that stops listening half way leaves no command behind
    await started.close();
  }
}

async function* showUntilEnded(
  { running, recent, moves }: StartedCommand,
  timeoutMs: number,
  { clock }: ToolContext,
): AsyncGenerator<ToolProgress, ProcessEnd | 'late'> {
  const startedAt = clock.now();
  const over = new AbortController();
  const ended = running.ended.finally(() => over.abort());
  for (;;) {
    const left = moves ? startedAt + timeoutMs - clock.now() : Number.POSITIVE_INFINITY;
    if (left <= 0) {
      over.abort();
      return 'late';
    }
    const end = await Promise.race([ended, clock.sleep(Math.min(PROGRESS_EVERY_MS, left), over.signal)]);
    if (end) return end;
    // the sleep also ends when the command does
    if (over.signal.aborted) return await ended;
    if (left <= PROGRESS_EVERY_MS) continue;
    const elapsedTimeSeconds = Math.round((clock.now() - startedAt) / 1000);
    yield { type: 'progress', data: { type: 'bash_progress', output: recent(), elapsedTimeSeconds } };
  }
}

/** A private place for one line; it is gone with the call. Without one the command still runs, but is not followed. */
async function directoryFile(parent: string) {
  const make = (folder: string) => mkdtemp(join(folder, 'stopgate-bash-'));
  const folder = await make(parent).catch(() => make(tmpdir()).catch(() => null));
  const path = folder === null ? '/dev/null' : join(folder, 'directory');
  return {
    path,
    read: () =>
      readFile(path, 'utf8').then(
        (text) => text.replace(/\n$/, ''),
        () => '',
      ),
    [Symbol.asyncDispose]: async () => {
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    },
  };
}
