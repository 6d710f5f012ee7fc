import { formatDuration } from '../../system/formatDuration.ts';
import type { ToolOutcome } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import type { BashResult } from './bashOutcome.ts';
import type { MovedRun } from './runInDirectory.ts';
import { boundShellOutput } from './shellOutput.ts';
import { shellTask } from './shellTask.ts';

/**
 * May a command that outlives its timeout go on in the background? As in Claude Code: not one that only waits, and not where
 * background work is switched off.
 */
export function mayMove(command: string, env: Readonly<Record<string, string>>): boolean {
  return !/^\s*sleep\b/.test(command) && !/^(?:1|true)$/.test(env.CLAUDE_CODE_DISABLE_BACKGROUND_TASKS ?? '');
}

const CHANGES_DIRECTORY = /(?:^|[;&|({\n])\s*(?:cd|pushd|popd)\b/;

/** What the model and hooks read of a command that was moved to the background. */
export function movedOutcome(run: MovedRun, context: ToolContext): ToolOutcome<BashResult> {
  const { command, shell, said, lost, limits, notes } = run;
  const isSubagent = context.agentId !== undefined;
  shellTask(shell, context, { endsWithOwner: isSubagent });
  const output = { stdout: said, stderr: '', droppedBytes: lost };
  const { stdout, note } = boundShellOutput(output, limits.maxOutputCharacters);
  const hint = CHANGES_DIRECTORY.test(command)
    ? `Later commands start in ${context.directory.current()}; a cd of this command does not apply to them.`
    : undefined;
  const sentences = [movedSentence(run), isSubagent ? ENDS_WITH_ANSWER : NOTIFIED, ...notes];
  return {
    type: 'done',
    output: {
      stdout,
      stderr: '',
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
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
  return `The command did not end within its timeout of ${formatDuration(limits.timeoutMs)} and was moved to the background as ${id}.${place} It still runs: do not start it again. BashOutput reads its output, KillShell ends it.`;
}

const NOTIFIED = 'You will be notified when it ends; it is ended if it still runs in 10m.';
const ENDS_WITH_ANSWER = 'It is ended with your final answer: wait for what you need of it.';
