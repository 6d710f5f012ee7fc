import path from 'node:path';
import { packageRoot } from '../../../system/packageRoot.ts';
import type { World } from '../../../system/world.ts';

const OUTPUT_BYTES = 4_000_000;
const TIMEOUT_MS = 10 * 60_000;

interface CommandOutput {
  readonly lines: readonly string[];
  /** Null when it exited with 0. */
  readonly failure: string | null;
}

/** A command that the person runs beside the conversation; the model sees nothing of it. */
export const runShellLine = (line: string, world: World, signal: AbortSignal): Promise<CommandOutput> =>
  runBeside(world, '/bin/sh', ['-c', line], { env: world.env, signal });

/** A command of the command line, as it prints on this terminal. */
export const runOwnCommand = (args: readonly string[], world: World): Promise<CommandOutput> =>
  runBeside(world, process.execPath, [path.join(packageRoot(), 'bin', 'stopgate.js'), ...args], {
    env: { ...world.env, COLUMNS: String(process.stdout.columns || 80) },
  });

async function runBeside(
  world: World,
  file: string,
  args: readonly string[],
  own: { readonly env: Readonly<Record<string, string>>; readonly signal?: AbortSignal },
): Promise<CommandOutput> {
  const limits = { timeoutMs: TIMEOUT_MS, maxOutputBytes: OUTPUT_BYTES };
  const end = await world.processes.start({ file, args, cwd: world.cwd, input: '', ...limits, ...own }).ended;
  if (end.type === 'notStarted') return { lines: [], failure: end.error };
  const lines = [end.stdout, end.stderr].flatMap((text) => (text === '' ? [] : text.trimEnd().split('\n')));
  const cut = end.droppedBytes > 0 ? [`… ${end.droppedBytes} bytes were left out`] : [];
  if (end.type === 'exited')
    return { lines: [...lines, ...cut], failure: end.code === 0 ? null : `exit code ${end.code}` };
  return { lines: [...lines, ...cut], failure: ENDS[end.type] };
}

const ENDS = { timedOut: 'ended after 10m', aborted: 'you ended it', signalled: 'ended by a signal' } as const;
