import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessEnd } from '../../system/processes.ts';
import { readTextFile } from '../../system/readTextFile.ts';
import type { ToolProgress } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { commandEnvironment } from './commandEnvironment.ts';
import { runShell } from './runShell.ts';
import { type Sandbox, sandboxFor } from './sandbox.ts';
import { type ShellLimits, shellLimits } from './shellLimits.ts';
import { findShell, scriptThatTellsDirectory } from './shellScript.ts';
import { followTo, startDirectory } from './startDirectory.ts';
import { withheldNote } from './withheldNote.ts';

const PROGRESS_EVERY_MS = 1000;
const PROGRESS_CHARACTERS = 2000;
const LONGEST_DIRECTORY = 16_384;

export interface ShellRun {
  readonly command: string;
  readonly end: ProcessEnd;
  readonly limits: ShellLimits;
  /** Sentences on what was not as expected. */
  readonly notes: readonly string[];
}

/** Runs a command where the last one ended, and follows it to where this one ends. */
export async function* runInDirectory(
  input: { readonly command: string; readonly timeout?: number | undefined },
  context: ToolContext,
): AsyncGenerator<ToolProgress, ShellRun> {
  const { command } = input;
  const directory = await startDirectory(context.directory);
  const sandbox = sandboxFor(command, context.sandbox);
  const given = { ...context, env: sandbox?.env ?? context.env };
  const shell = findShell(given.env);
  const limits = shellLimits(input.timeout, given.env);
  const environment = await commandEnvironment(command, directory.path, given);
  if (environment.type === 'refused') {
    return { command, end: { type: 'notStarted', error: environment.reason }, limits, notes: [] };
  }
  const { env } = environment;
  await using told = await directoryFile(env.TMPDIR ?? tmpdir());
  const script = scriptThatTellsDirectory(command, told.path, context.envFile);
  const start = { file: shell.file, args: [...shell.args, script], cwd: directory.path, env };
  const said = { recent: '' };
  const closed = new AbortController();
  const ended = runShell(context.processes, {
    start,
    sandbox,
    timeoutMs: limits.timeoutMs,
    maxOutputBytes: 4 * limits.maxOutputCharacters,
    signal: AbortSignal.any([context.signal, closed.signal]),
    onOutput: (_stream, chunk) => {
      said.recent = (said.recent + chunk).slice(-PROGRESS_CHARACTERS);
    },
    hasBegun: async () => (await told.read()) !== '',
  });
  try {
    const end = yield* showUntilEnded(ended, said, context);
    const moved =
      end.type === 'exited'
        ? await followTo(context.directory, directory.path, await told.read(), context.workingFolders)
        : undefined;
    const left = (await sandbox?.settle()) ?? [];
    const refusal = sandbox && failureOf(end, sandbox);
    const notes = [directory.note, shell.note, moved, ...left, refusal, withheldNote(command, context)].filter(
      (note) => note !== undefined,
    );
    return { command, end, limits, notes };
  } finally {
    // whoever stops listening half way leaves no command behind
    closed.abort();
    await ended;
  }
}

function failureOf(end: ProcessEnd, sandbox: Sandbox): string | undefined {
  if (end.type !== 'exited' || end.code === 0) return undefined;
  return sandbox.explain(`${end.stderr}\n${end.stdout}`);
}

async function* showUntilEnded(
  running: Promise<ProcessEnd>,
  said: { readonly recent: string },
  { clock }: ToolContext,
): AsyncGenerator<ToolProgress, ProcessEnd> {
  const startedAt = clock.now();
  const over = new AbortController();
  const ended = running.finally(() => over.abort());
  for (;;) {
    const end = await Promise.race([ended, clock.sleep(PROGRESS_EVERY_MS, over.signal)]);
    if (end) return end;
    // the sleep also ends when the command does
    if (over.signal.aborted) return await ended;
    const elapsedTimeSeconds = Math.round((clock.now() - startedAt) / 1000);
    yield { type: 'progress', data: { type: 'bash_progress', output: said.recent, elapsedTimeSeconds } };
  }
}

/** A private place for one line; it is gone with the call. Without one the command still runs, but is not followed. */
async function directoryFile(parent: string) {
  const make = (folder: string) => mkdtemp(join(folder, 'stopgate-bash-'));
  const folder = await make(parent).catch(() => make(tmpdir()).catch(() => null));
  const path = folder === null ? '/dev/null' : join(folder, 'directory');
  return {
    path,
    read: async () => {
      // the command could have put anything in its place
      const told = await readTextFile(path, LONGEST_DIRECTORY);
      return told.type === 'read' && !told.cut ? told.text.replace(/\n$/, '') : '';
    },
    [Symbol.asyncDispose]: async () => {
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    },
  };
}
