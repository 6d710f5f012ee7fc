import { tmpdir } from 'node:os';
import type { ProcessEnd } from '../../system/processes.ts';
import { namesIn, PASS_ENV } from '../../system/secretPolicy.ts';
import type { ToolProgress } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { type EndedRun, type MovedRun, mayMove } from './bashOutcome.ts';
import { commandEnvironment } from './commandEnvironment.ts';
import { directoryFile } from './directoryFile.ts';
import type { Sandbox } from './sandbox.ts';
import { shellLimits } from './shellLimits.ts';
import { findShell, type Shell, scriptWithDirectory } from './shellScript.ts';
import { type StartedCommand, startCommand } from './startCommand.ts';
import { followTo, startDirectory } from './startDirectory.ts';

const PROGRESS_EVERY_MS = 1000;
/** Node asks the system 15 times for it. */
let temporary: string | undefined;

/** Where and with which variables a command runs. */
export async function prepareCommand(command: string, context: ToolContext) {
  const { path: cwd, note } = await startDirectory(context.directory);
  const sandbox = context.sandbox?.covers(command) ? context.sandbox : undefined;
  const given = { ...context, env: sandbox?.env ?? context.env };
  const shell: Shell = findShell(given.env);
  const environment = await commandEnvironment(command, cwd, given);
  return { cwd, sandbox, shell, environment, notes: [note, shell.note].filter((one) => one !== undefined) };
}

/** Runs a command in the directory where the last one ended. */
export async function* runInDirectory(
  input: { readonly command: string; readonly timeout?: number | undefined; readonly description?: string | undefined },
  context: ToolContext,
): AsyncGenerator<ToolProgress, EndedRun | MovedRun> {
  const { command } = input;
  const { cwd, sandbox, shell, environment, notes } = await prepareCommand(command, context);
  const limits = shellLimits(input.timeout, sandbox?.env ?? context.env);
  const run = { command, limits, notes };
  if (environment.type === 'refused') {
    return { type: 'ended', ...run, end: { type: 'notStarted', error: environment.reason }, notes: [] };
  }
  const { env } = environment;
  temporary ??= tmpdir();
  await using endedIn = directoryFile(env.TMPDIR ?? temporary, context);
  const script = [...shell.args, scriptWithDirectory(command, endedIn.path, context.envFile)];
  const start = { file: shell.file, args: script, cwd, env };
  const hasBegun = async () => endedIn.read() !== '';
  const started = startCommand({ start, sandbox, hasBegun }, { limits, moves: mayMove(command, env), context });
  try {
    const end = yield* showUntilEnded(started, limits.timeoutMs, context);
    if (end === 'late') return { type: 'moved', ...run, ...started.move(input) };
    const moved =
      end.type === 'exited'
        ? await followTo(context.directory, cwd, endedIn.read(), context.workingFolders)
        : undefined;
    const left = (await sandbox?.settle()) ?? [];
    const refusal = sandbox && failureOf(end, sandbox);
    const more = [moved, ...left, refusal, withheldNote(command, context)].filter((note) => note !== undefined);
    return { type: 'ended', ...run, end, notes: [...run.notes, ...more] };
  } finally {
    // stops the command when the caller stops listening
    await started.close();
  }
}

function failureOf(end: ProcessEnd, sandbox: Sandbox): string | undefined {
  if (end.type !== 'exited' || end.code === 0) return undefined;
  return sandbox.explain(`${end.stderr}\n${end.stdout}`);
}

/** Why a variable of the command is empty: it is set, but withheld from commands. */
function withheldNote(command: string, { withheld }: Pick<ToolContext, 'withheld'>): string | undefined {
  const names = withheld === undefined ? [] : namesIn(command, withheld);
  if (names.length === 0) return undefined;
  return `(Commands do not receive ${names.join(', ')}: secrets are withheld. The user who started this session can pass them with ${PASS_ENV}=${names.join(',')}.)`;
}

async function* showUntilEnded(
  { ended: running, recent, moves }: StartedCommand,
  timeoutMs: number,
  { clock }: ToolContext,
): AsyncGenerator<ToolProgress, ProcessEnd | 'late'> {
  const startedAt = clock.now();
  const over = new AbortController();
  // with a reason, because without one an error with its stack is made
  const ended = running.finally(() => over.abort('ended'));
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
