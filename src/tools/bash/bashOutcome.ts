import { formatDuration } from '../../system/formatDuration.ts';
import type { ProcessEnd } from '../../system/processes.ts';
import type { ToolOutcome } from '../tool.ts';
import type { EndedRun } from './runInDirectory.ts';
import { boundShellOutput } from './shellOutput.ts';

/** What hooks see as `tool_response`. */
export interface BashResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly interrupted: boolean;
  readonly isImage: false;
  /** Whether silence is what success looks like. */
  readonly noOutputExpected: boolean;
  readonly backgroundTaskId?: string;
  /** It was moved to the background after this time. */
  readonly timedOutAfterMs?: number;
  /** It runs only as long as the subagent that started it. */
  readonly backgroundEndsWithFinalResponse?: true;
  /** Where later commands start, when this one changes its directory. */
  readonly backgroundCwdHint?: string;
}

const SILENCE = '(Bash completed with no output)';

/** How a run of the shell reads for the model. */
export function bashOutcome({ command, end, limits, notes }: EndedRun): ToolOutcome<BashResult> {
  if (end.type === 'notStarted') return { type: 'failed', message: end.error };
  const { stdout, stderr, note } = boundShellOutput(end, limits.maxOutputCharacters);
  const after = note === undefined ? notes : [note, ...notes];
  const failure = describeFailure(end, limits.timeoutMs);
  if (failure !== null) {
    const message = [failure, stdout, stderr, ...after].filter(Boolean).join('\n');
    return end.type === 'aborted' ? { type: 'failed', message, interrupted: true } : { type: 'failed', message };
  }
  return {
    type: 'done',
    output: {
      stdout,
      stderr: [stderr, ...notes].join('\n'),
      interrupted: false,
      isImage: false,
      noOutputExpected: isSilent(command),
    },
    content: [stdout, stderr, ...after].filter(Boolean).join('\n') || SILENCE,
  };
}

/** What the model reads of a command that succeeded. */
export function bashText({ stdout, stderr }: Pick<BashResult, 'stdout' | 'stderr'>): string {
  return [stdout, stderr].filter(Boolean).join('\n') || SILENCE;
}

function describeFailure(end: Exclude<ProcessEnd, { type: 'notStarted' }>, timeoutMs: number): string | null {
  if (end.type === 'exited') return end.code === 0 ? null : `Exit code ${end.code}`;
  if (end.type === 'signalled') return `The command was ended by ${end.signal}.`;
  if (end.type === 'aborted') return 'The command was interrupted and ended.';
  return `The command timed out after ${formatDuration(timeoutMs)} and was ended. Give it a longer timeout, or run it in the background.`;
}

const SILENT = new Set(['cd', 'chmod', 'chown', 'cp', 'export', 'ln', 'mkdir', 'mv', 'rm', 'rmdir', 'touch', 'unset']);

function isSilent(command: string): boolean {
  return SILENT.has(/^\s*([a-z]+)\s[^|;&\n]*$/.exec(command)?.[1] ?? '');
}
