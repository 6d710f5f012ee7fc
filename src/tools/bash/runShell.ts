import type { ProcessEnd, ProcessRunner, ProcessSpec } from '../../system/processes.ts';
import type { Sandbox, ShellStart } from './sandbox.ts';

export interface ShellProcess extends Omit<ProcessSpec, keyof ShellStart | 'onOutput'> {
  readonly start: ShellStart;
  readonly sandbox: Sandbox | undefined;
  readonly onOutput: NonNullable<ProcessSpec['onOutput']>;
  /** Whether the command has begun, if known. */
  readonly hasBegun?: () => Promise<boolean>;
}

const MOST_TRIES = 4;

/**
 * Runs a shell, possibly in a sandbox. Creating a sandbox fails when a file to be masked disappears; then the command
 * has not begun and is started again, without the output of the failure.
 */
export async function runShell(processes: ProcessRunner, shell: ShellProcess): Promise<ProcessEnd> {
  const { start, sandbox, onOutput, hasBegun = async () => false, ...spec } = shell;
  if (!sandbox) return await processes.start({ ...spec, ...start, onOutput }).ended;
  for (let tries = 1; ; tries++) {
    const held = heldOutput(sandbox, onOutput);
    const end = await processes.start({ ...spec, ...sandbox.enter(start), onOutput: held.take }).ended;
    const failed = end.type === 'exited' && end.code === 1 && held.isFailure();
    if (!failed || tries === MOST_TRIES || (await hasBegun())) {
      held.release();
      return end;
    }
  }
}

/** Holds output back while it could be the sandbox's own failure. */
function heldOutput(sandbox: Sandbox, pass: ShellProcess['onOutput']) {
  let kept: string | undefined = '';
  const release = () => {
    if (kept) pass('stderr', kept);
    kept = undefined;
  };
  const take: ShellProcess['onOutput'] = (stream, chunk) => {
    if (kept !== undefined && stream === 'stderr' && sandbox.isOwnFailure(kept + chunk)) {
      kept += chunk;
      return;
    }
    release();
    pass(stream, chunk);
  };
  return { take, release, isFailure: () => Boolean(kept) };
}
