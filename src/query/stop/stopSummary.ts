import type { AttachmentMessage, SystemMessage } from '../../session/messages.ts';
import type { QueryEvent } from '../events.ts';
import type { Turn } from '../turn.ts';

/** One hook's part in a stop, as its attachments told it. */
interface StopHookInfo {
  readonly command: string;
  /** The question of a prompt or agent hook. */
  readonly promptText?: string;
  readonly durationMs: number;
}

/** What the hooks of one stop did, gathered from the events they caused. */
export interface StopHookReport {
  readonly hooks: readonly StopHookInfo[];
  /** `command: what went wrong`, one for each hook that gave no verdict. */
  readonly errors: readonly string[];
  /** The hooks that blocked. */
  readonly blockedBy: readonly string[];
  /** What they blocked with, in the same order. */
  readonly blockReasons: readonly string[];
  /** Whether any of them printed something. */
  readonly hasOutput: boolean;
}

export const EMPTY_REPORT: StopHookReport = {
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

/** Adds what an event says of a hook. Attachments arrive in order of finishing, each with its own hook's duration. */
export function noteHookEvent(report: StopHookReport, event: QueryEvent): StopHookReport {
  if (event.type !== 'attachment') return report;
  const { type, command, durationMs, message, promptText, blockingError, stdout, stderr } =
    event.attachment as AttachmentFields;
  if (!ENDED.has(type)) return report;
  const name = command ?? 'a hook';
  const blocked = type === 'hook_blocking_error';
  const asked = promptText === undefined ? {} : { promptText };
  return {
    hooks: [...report.hooks, { command: name, ...asked, durationMs: durationMs ?? 0 }],
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

/** What a summary is about besides the hooks themselves. */
export interface StopSummary {
  readonly event: string;
  /** Groups everything that was shown of this stop. */
  readonly toolUseId: string;
  /** Why the turn was ended, when a hook ended it. */
  readonly prevented: string | null;
}

/** One message a stop: for people, never for the model. */
export function summaryMessage(
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

/** Tells the person that the agent was sent back. The text that the model gets follows as a message of its own. */
export function blockNotice(turn: Turn, event: string, { blockedBy, blockReasons }: StopHookReport): SystemMessage {
  const text = `${blockedBy.length === 1 ? `A ${event} hook` : `${blockedBy.length} ${event} hooks`} sent the agent back: ${blockedBy.join('; ')}`;
  return turn.make.system('stop_hook_blocked', text, { data: { key: 'stop-hook-error', errors: blockReasons } });
}

/** Said aloud when a hook that was meant to decide did not. */
export function errorNotice(turn: Turn, event: string, { errors }: StopHookReport): SystemMessage {
  const text = `${errors.length === 1 ? `A ${event} hook` : `${errors.length} ${event} hooks`} gave no verdict and did not count: ${errors.join('; ')}`;
  return turn.make.system('stop_hook_error', text, { level: 'warning', data: { key: 'stop-hook-error', errors } });
}
