import type { AttachmentMessage, SystemMessage } from '../../session/messages.ts';
import type { QueryEvent } from '../events.ts';
import { type HookCall, runHooks } from '../runHooks.ts';
import { INTERRUPTED } from '../terminal.ts';
import type { ToolUseContext } from '../toolUseContext.ts';
import type { Turn } from '../turn.ts';
import { PASS, prevented, type StopHookResult } from './stopResult.ts';

type StopHookCall = HookCall<'Stop' | 'SubagentStop' | 'TaskCompleted' | 'TeammateIdle'>;

/** The reason of a stop whose hooks a person interrupted. */
export const INTERRUPTED_AT_STOP = 'Interrupted by the user.';

/** Runs the hooks of one event that decide whether the turn may end. Emits each result, then a summary. */
export async function* runStopEvent(turn: Turn, call: StopHookCall): AsyncGenerator<QueryEvent, StopHookResult> {
  const { event, context } = call;
  const { hooks, clock, ids, logEvent } = turn.deps;
  if (!hooks.has(event)) return PASS;
  const startedAt = clock.now();
  const toolUseId = ids.uuid();
  const running = runHooks(turn, { ...call, toolUseId });
  const ended: EndedHook[] = [];
  let step = await running.next();
  for (; !step.done; step = await running.next()) {
    // attachments arrive as hooks finish, each with its own duration
    if (step.value.type === 'attachment' && ENDED.has(step.value.attachment.type))
      ended.push(step.value.attachment as EndedHook);
    yield step.value;
  }
  const verdict = step.value;
  const logged = { event, durationMs: clock.now() - startedAt, ...context.queryTracking };
  if (turn.signal.aborted) {
    logEvent('stop_hooks_cancelled', logged);
    yield turn.record(turn.make.user([{ type: 'text', text: INTERRUPTED }]));
    return prevented(INTERRUPTED_AT_STOP);
  }
  const report = reportOf(ended);
  if (ended.length > 0)
    yield turn.record(summaryMessage(turn, { event, toolUseId, ended, ...report }, verdict.prevented));
  if (report.blockedBy.length > 0) yield turn.record(blockNotice(turn, event, report));
  if (report.errors.length > 0) {
    logEvent('stop_hooks_failed', { ...logged, failed: report.errors.length });
    yield turn.record(errorNotice(turn, event, report));
  }
  if (verdict.prevented !== null) return prevented(verdict.prevented);
  return {
    ...PASS,
    blockingErrors: verdict.blocks.map((text) => turn.make.hidden(text)),
    contexts: verdict.contexts.length === 0 ? [] : [turn.make.hidden(verdict.contexts.join('\n\n'))],
    blockedBy: report.blockedBy,
    blockReasons: report.blockReasons,
  };
}

/**
 * A teammate may only go idle when TaskCompleted hooks accept each task it holds and TeammateIdle hooks let it. Both run,
 * so that one round reports everything that is missing.
 */
export async function* runTeammateHooks(
  turn: Turn,
  context: ToolUseContext,
): AsyncGenerator<QueryEvent, StopHookResult[]> {
  const { teammate } = context;
  if (!teammate) return [];
  const who = { teammate_name: teammate.name, team_name: teammate.team };
  const answers: StopHookResult[] = [];
  const tasks = await context.toolServices.tasks.list();
  for (const task of tasks.filter(({ status, owner }) => status === 'in_progress' && owner === teammate.name)) {
    const input = () => ({ task_id: task.id, task_subject: task.subject, task_description: task.description, ...who });
    answers.push(yield* runStopEvent(turn, { event: 'TaskCompleted', context, input }));
  }
  // TeammateIdle hooks run after a blocked task too: they may want something else done
  if (answers.some(({ preventContinuation }) => preventContinuation)) return answers;
  answers.push(yield* runStopEvent(turn, { event: 'TeammateIdle', context, input: () => who }));
  return answers;
}

const FAILED = new Set(['hook_non_blocking_error', 'hook_error_during_execution']);
const ENDED = new Set(['hook_success', 'hook_blocking_error', 'hook_cancelled', ...FAILED]);

/** One hook's part in a stop, read from its attachment. */
type EndedHook = AttachmentMessage['attachment'] & {
  readonly command?: string;
  readonly durationMs?: number;
  readonly message?: string;
  /** The question of a prompt or agent hook. */
  readonly promptText?: string;
  readonly blockingError?: string;
  readonly stdout?: string;
  readonly stderr?: string;
};

const nameOf = ({ command = 'a hook' }: EndedHook) => command;

function reportOf(ended: readonly EndedHook[]) {
  const blocking = ended.filter(({ type }) => type === 'hook_blocking_error');
  const failed = ended.filter(({ type }) => FAILED.has(type));
  return {
    /** `command: what went wrong`, one for each hook that gave no verdict. */
    errors: failed.map((hook) => `${nameOf(hook)}: ${hook.message ?? 'it failed'}`),
    blockedBy: blocking.map(nameOf),
    blockReasons: blocking.map(({ blockingError = '' }) => blockingError),
  };
}

type StopHookReport = ReturnType<typeof reportOf>;

interface StopSummary extends StopHookReport {
  readonly event: string;
  /** Groups everything that was shown of this stop. */
  readonly toolUseId: string;
  readonly ended: readonly EndedHook[];
}

/** One message per stop: for people, never for the model. */
function summaryMessage(turn: Turn, summary: StopSummary, prevented: string | null): SystemMessage {
  const { event, toolUseId, ended, errors, blockedBy, blockReasons } = summary;
  const preventedContinuation = prevented !== null;
  const parts = [
    `${ended.length} ${event} hook${ended.length === 1 ? '' : 's'} ran`,
    blockedBy.length > 0 ? `${blockedBy.length} blocked` : '',
    preventedContinuation ? 'one ended the turn' : '',
    errors.length > 0 ? `${errors.length} gave no verdict` : '',
  ].filter(Boolean);
  return turn.make.system('stop_hook_summary', `${parts.join(', ')}.`, {
    data: {
      event,
      hookCount: ended.length,
      hookInfos: ended.map((hook) => ({
        command: nameOf(hook),
        ...(hook.promptText === undefined ? {} : { promptText: hook.promptText }),
        durationMs: hook.durationMs ?? 0,
      })),
      // as in Claude Code, a block is an error of the stop
      hookErrors: [...blockReasons, ...errors],
      preventedContinuation,
      stopReason: prevented ?? '',
      hasOutput: ended.some(({ stdout, stderr }) => stdout?.trim() || stderr?.trim()),
      toolUseID: toolUseId,
    },
  });
}

const countOf = (hooks: readonly string[], event: string) =>
  hooks.length === 1 ? `A ${event} hook` : `${hooks.length} ${event} hooks`;

/** Notifies the person that the agent was sent back. The text for the model follows as a message of its own. */
function blockNotice(turn: Turn, event: string, { blockedBy, blockReasons: errors }: StopHookReport): SystemMessage {
  const text = `${countOf(blockedBy, event)} sent the agent back: ${blockedBy.join('; ')}`;
  return turn.make.system('stop_hook_blocked', text, { data: { key: 'stop-hook-error', errors } });
}

/** Reports hooks that should have decided and did not. */
function errorNotice(turn: Turn, event: string, { errors }: StopHookReport): SystemMessage {
  const text = `${countOf(errors, event)} gave no verdict and did not count: ${errors.join('; ')}`;
  return turn.make.system('stop_hook_error', text, { level: 'warning', data: { key: 'stop-hook-error', errors } });
}
