import { formatDuration } from '../../system/formatDuration.ts';
import type { ProcessEnd } from '../../system/processes.ts';
import type { ToolOutcome } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import type { BackgroundShell } from './backgroundShells.ts';
import { exitMeaning } from './exitMeaning.ts';
import { boundShellOutput, type ShellLimits } from './shellLimits.ts';
import { shellTask } from './shellTask.ts';

/** What hooks always see in a `tool_response`. */
export const RESULT = { stdout: '', stderr: '', interrupted: false, isImage: false, noOutputExpected: false };

interface Run {
  readonly command: string;
  readonly limits: ShellLimits;
  /** What was not as expected. */
  readonly notes: readonly string[];
}

export interface EndedRun extends Run {
  readonly type: 'ended';
  readonly end: ProcessEnd;
}

/** It outlived its timeout and continues in the background. */
export interface MovedRun extends Run {
  readonly type: 'moved';
  readonly shell: BackgroundShell;
  /** Its output until then, without the first `lost` characters. */
  readonly printed: string;
  readonly lost: number;
}

/** The outcome of a shell run. */
export function bashOutcome({ command, end, limits, notes }: EndedRun): ToolOutcome {
  if (end.type === 'notStarted') return { type: 'failed', message: end.error };
  const { stdout, stderr, note } = boundShellOutput(end, limits.maxOutputCharacters);
  const after = note === undefined ? notes : [note, ...notes];
  const meaning = end.type === 'exited' ? exitMeaning(command, end.code) : undefined;
  const failure = meaning === undefined ? describeFailure(end, limits.timeoutMs) : null;
  if (failure !== null) {
    const message = [failure, stdout, stderr, ...after].filter(Boolean).join('\n');
    return { type: 'failed', message, ...(end.type === 'aborted' && { interrupted: true }) };
  }
  return {
    type: 'done',
    output: {
      ...RESULT,
      ...{ stdout, stderr: [stderr, ...notes].join('\n'), noOutputExpected: isSilent(command) },
      ...(meaning !== undefined && { returnCodeInterpretation: meaning }),
    },
    content: bashText(stdout, stderr, ...after),
  };
}

/** The text of a successful command for the model. */
export const bashText = (...parts: readonly string[]): string =>
  parts.filter(Boolean).join('\n') || '(Bash completed with no output)';

function describeFailure(end: Exclude<ProcessEnd, { type: 'notStarted' }>, timeoutMs: number): string | null {
  if (end.type === 'exited') return end.code === 0 ? null : `Exit code ${end.code}`;
  if (end.type === 'signalled') return `The command was killed by ${end.signal}.`;
  if (end.type === 'aborted') return 'The command was interrupted and stopped.';
  return `Exit code 143\nCommand timed out after ${formatDuration(timeoutMs)}`;
}

const SILENT = new Set(['cd', 'chmod', 'chown', 'cp', 'export', 'ln', 'mkdir', 'mv', 'rm', 'rmdir', 'touch', 'unset']);

function isSilent(command: string): boolean {
  return SILENT.has(/^\s*([a-z]+)\s[^|;&\n]*$/.exec(command)?.[1] ?? '');
}

/**
 * Whether a command that outlives its timeout may continue in the background. As in Claude Code: not `sleep`, and not
 * when background tasks are disabled.
 */
export function mayMove(command: string, env: Readonly<Record<string, string>>): boolean {
  return !/^\s*sleep\b/.test(command) && !/^(?:1|true)$/.test(env.CLAUDE_CODE_DISABLE_BACKGROUND_TASKS ?? '');
}

const CHANGES_DIRECTORY = /(?:^|[;&|({\n])\s*(?:cd|pushd|popd)\b/;

/** The outcome of a command that was moved to the background. */
export function movedOutcome(run: MovedRun, context: ToolContext): ToolOutcome {
  const { command, shell, printed, lost, limits, notes } = run;
  const isSubagent = context.agentId !== undefined;
  shellTask(shell, context, { endsWithOwner: isSubagent });
  const output = { stdout: printed, stderr: '', droppedBytes: lost };
  const { stdout, note } = boundShellOutput(output, limits.maxOutputCharacters);
  const hint = CHANGES_DIRECTORY.test(command)
    ? `Later commands start in ${context.directory.current()}; a cd of this command does not apply to them.`
    : undefined;
  const sentences = [movedSentence(run), isSubagent ? ENDS_WITH_ANSWER : NOTIFIED, ...notes];
  return {
    type: 'done',
    output: {
      ...RESULT,
      stdout,
      backgroundTaskId: shell.id,
      timedOutAfterMs: limits.timeoutMs,
      ...(isSubagent && { backgroundEndsWithFinalResponse: true }),
      ...(hint !== undefined && { backgroundCwdHint: hint }),
    },
    content: [stdout, note, ...sentences, hint].filter(Boolean).join('\n'),
  };
}

function movedSentence({ shell: { id, outputFile }, limits }: MovedRun): string {
  const place = outputFile === undefined ? '' : ` Its output is in ${outputFile}.`;
  return `The command did not end within its timeout of ${formatDuration(limits.timeoutMs)} and was moved to the background as ${id}.${place} It is still running: do not start it again. BashOutput reads its output, KillShell stops it.`;
}

const NOTIFIED = 'You will be notified when it ends; Stopgate stops it after another 10m.';
const ENDS_WITH_ANSWER = 'It is stopped at your final answer: wait for the results that you need.';
