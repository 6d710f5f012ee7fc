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
  if (!turn.deps.hooks.has(event)) return PASS;
  const startedAt = turn.deps.clock.now();
  const toolUseId = turn.deps.ids.uuid();
  const running = runHooks(turn, { ...call, toolUseId });
  let report = EMPTY_REPORT;
  let step = await running.next();
  for (; !step.done; step = await running.next()) {
    report = noteHookEvent(report, step.value);
    yield step.value;
  }
  const verdict = step.value;
  const durationMs = turn.deps.clock.now() - startedAt;
  const { chainId, depth } = context.queryTracking;
  if (turn.signal.aborted) {
    turn.deps.logEvent('stop_hooks_cancelled', { event, durationMs, chainId, depth });
    yield turn.record(turn.make.user([{ type: 'text', text: INTERRUPTED }]));
    return prevented(INTERRUPTED_AT_STOP);
  }
  const summary = { event, toolUseId, prevented: verdict.prevented };
  if (report.hooks.length > 0) yield turn.record(summaryMessage(turn, summary, report));
  if (report.blockedBy.length > 0) yield turn.record(blockNotice(turn, event, report));
  if (report.errors.length > 0) {
    turn.deps.logEvent('stop_hooks_failed', { event, durationMs, failed: report.errors.length, chainId, depth });
    yield turn.record(errorNotice(turn, event, report));
  }
  if (verdict.prevented !== null) return prevented(verdict.prevented);
  return {
    ...PASS,
    blockingErrors: verdict.blocks.map((text) => turn.make.hidden(text)),
    contexts: verdict.contexts.map((text) => turn.make.hidden(text)),
    blockedBy: report.blockedBy,
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

/** One hook's part in a stop, read from its attachments. */
interface StopHookInfo {
  readonly command: string;
  /** The question of a prompt or agent hook. */
  readonly promptText?: string;
  readonly durationMs: number;
}

/** What the hooks of one stop did, gathered from the events they caused. */
interface StopHookReport {
  readonly hooks: readonly StopHookInfo[];
  /** `command: what went wrong`, one for each hook that gave no verdict. */
  readonly errors: readonly string[];
  /** The hooks that blocked. */
  readonly blockedBy: readonly string[];
  /** Their reasons, in the same order. */
  readonly blockReasons: readonly string[];
  /** Whether any of them printed something. */
  readonly hasOutput: boolean;
}

const EMPTY_REPORT: StopHookReport = {
  hooks: [],
  errors: [],
  blockedBy: [],
  blockReasons: [],
  hasOutput: false,
};

const ENDED = new Set([
  'hook_success',
  'hook_blocking_error',
  'hook_non_blocking_error',
  'hook_error_during_execution',
  'hook_cancelled',
]);
const FAILED = new Set(['hook_non_blocking_error', 'hook_error_during_execution']);

/** Adds what an event reports about a hook. Attachments arrive as hooks finish, each with its own duration. */
function noteHookEvent(report: StopHookReport, event: QueryEvent): StopHookReport {
  if (event.type !== 'attachment') return report;
  const { type, command, durationMs, message, promptText, blockingError, stdout, stderr } =
    event.attachment as AttachmentFields;
  if (!ENDED.has(type)) return report;
  const name = command ?? 'a hook';
  const blocked = type === 'hook_blocking_error';
  const question = promptText === undefined ? {} : { promptText };
  return {
    hooks: [...report.hooks, { command: name, ...question, durationMs: durationMs ?? 0 }],
    errors: FAILED.has(type) ? [...report.errors, `${name}: ${message ?? 'it failed'}`] : report.errors,
    blockedBy: blocked ? [...report.blockedBy, name] : report.blockedBy,
    blockReasons: blocked ? [...report.blockReasons, blockingError ?? ''] : report.blockReasons,
    hasOutput: report.hasOutput || Boolean(stdout?.trim() || stderr?.trim()),
  };
}

type AttachmentFields = AttachmentMessage['attachment'] & {
  readonly command?: string;
  readonly durationMs?: number;
  readonly message?: string;
  readonly promptText?: string;
  readonly blockingError?: string;
  readonly stdout?: string;
  readonly stderr?: string;
};

/** What a summary shows besides the hooks themselves. */
interface StopSummary {
  readonly event: string;
  /** Groups everything that was shown of this stop. */
  readonly toolUseId: string;
  /** Why the turn was ended, when a hook ended it. */
  readonly prevented: string | null;
}

/** One message per stop: for people, never for the model. */
function summaryMessage(
  turn: Turn,
  { event, toolUseId, prevented }: StopSummary,
  report: StopHookReport,
): SystemMessage {
  const { hooks, errors, blockedBy, blockReasons, hasOutput } = report;
  const preventedContinuation = prevented !== null;
  const ran = `${hooks.length} ${event} hook${hooks.length === 1 ? '' : 's'} ran`;
  const parts = [
    ran,
    blockedBy.length > 0 ? `${blockedBy.length} blocked` : '',
    preventedContinuation ? 'one ended the turn' : '',
    errors.length > 0 ? `${errors.length} gave no verdict` : '',
  ].filter(Boolean);
  return turn.make.system('stop_hook_summary', `${parts.join(', ')}.`, {
    data: {
      event,
      hookCount: hooks.length,
      hookInfos: hooks,
      // as in Claude Code, a block is an error of the stop
      hookErrors: [...blockReasons, ...errors],
      preventedContinuation,
      stopReason: prevented ?? '',
      hasOutput,
      toolUseID: toolUseId,
    },
  });
}

/** Notifies the person that the agent was sent back. The text for the model follows as a message of its own. */
function blockNotice(turn: Turn, event: string, { blockedBy, blockReasons }: StopHookReport): SystemMessage {
  const text = `${blockedBy.length === 1 ? `A ${event} hook` : `${blockedBy.length} ${event} hooks`} sent the agent back: ${blockedBy.join('; ')}`;
  return turn.make.system('stop_hook_blocked', text, { data: { key: 'stop-hook-error', errors: blockReasons } });
}

/** Reports hooks that should have decided and did not. */
function errorNotice(turn: Turn, event: string, { errors }: StopHookReport): SystemMessage {
  const text = `${errors.length === 1 ? `A ${event} hook` : `${errors.length} ${event} hooks`} gave no verdict and did not count: ${errors.join('; ')}`;
  return turn.make.system('stop_hook_error', text, { level: 'warning', data: { key: 'stop-hook-error', errors } });
}
