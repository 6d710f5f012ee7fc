import type { AttachmentMessage, SystemMessage } from '../session/messages.ts';
import type { QueryEvent } from './events.ts';
import type { Turn } from './turn.ts';

/** One hook's part in a stop, as its attachments told it. */
interface StopHookInfo {
  readonly command: string;
  readonly durationMs: number;
}

/** What the hooks of one stop did, gathered from the events they caused. */
export interface StopHookReport {
  readonly hooks: readonly StopHookInfo[];
  /** `command: what went wrong`, one for each hook that gave no verdict. */
  readonly errors: readonly string[];
  /** The hooks that blocked. */
  readonly blockedBy: readonly string[];
}

export const EMPTY_REPORT: StopHookReport = { hooks: [], errors: [], blockedBy: [] };

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
  const { type, command, durationMs, message } = event.attachment as AttachmentFields;
  if (!ENDED.has(type)) return report;
  const name = command ?? 'a hook';
  return {
    hooks: [...report.hooks, { command: name, durationMs: durationMs ?? 0 }],
    errors: FAILED.has(type) ? [...report.errors, `${name}: ${message ?? 'it failed'}`] : report.errors,
    blockedBy: type === 'hook_blocking_error' ? [...report.blockedBy, name] : report.blockedBy,
  };
}

type AttachmentFields = AttachmentMessage['attachment'] & {
  readonly command?: string;
  readonly durationMs?: number;
  readonly message?: string;
};

/** One message a stop: for people, never for the model. */
export function summaryMessage(
  turn: Turn,
  event: string,
  report: StopHookReport,
  preventedContinuation: boolean,
): SystemMessage {
  const { hooks, errors, blockedBy } = report;
  const ran = `${hooks.length} ${event} hook${hooks.length === 1 ? '' : 's'} ran`;
  const parts = [
    ran,
    blockedBy.length > 0 ? `${blockedBy.length} blocked` : '',
    preventedContinuation ? 'one ended the turn' : '',
    errors.length > 0 ? `${errors.length} gave no verdict` : '',
  ].filter(Boolean);
  return turn.make.system('stop_hook_summary', `${parts.join(', ')}.`, {
    data: { hookCount: hooks.length, hookInfos: hooks, hookErrors: errors, preventedContinuation, event },
  });
}

/** Said aloud when a hook that was meant to decide did not. */
export function errorNotice(turn: Turn, event: string, { errors }: StopHookReport): SystemMessage {
  const text = `${errors.length === 1 ? `A ${event} hook` : `${errors.length} ${event} hooks`} gave no verdict and did not count: ${errors.join('; ')}`;
  return turn.make.system('stop_hook_error', text, { level: 'warning', data: { key: 'stop-hook-error', errors } });
}
