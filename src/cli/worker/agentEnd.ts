import { isAccountTrouble } from '../../fleet/decisions/accountRest.ts';
import type { AgentEnd } from '../../fleet/worker/runWorker.ts';
import type { ProcessEnd } from '../../system/processes.ts';
import type { AgentFailure } from './failureFile.ts';

/** What commands of any kind print when a provider has had enough of them; read only when they failed. */
const RATE_LIMIT = /\b429\b|rate.?limit|usage limit|hit your .{1,40}\blimit\b|quota exceeded|too many requests/i;
/** As `sysexits` has it: try again later. */
const TEMPORARY_FAILURE = 75;

export interface AgentWords {
  /** The last of what it printed. */
  readonly tail: string;
  /** What its StopFailure hook was told. */
  readonly failure: AgentFailure | null;
  /** Whether it is Claude Code, whose words for an error are known. */
  readonly isClaude: boolean;
}

export function agentEnd(end: ProcessEnd, words: AgentWords): AgentEnd {
  // a prompt that is too long for a command line is the task's, anything else is not
  if (end.type === 'notStarted') return { ending: end.code === 'E2BIG' ? 'crashed' : 'launchFailed', why: end.error };
  if (end.type === 'exited' && end.code === 0) return { ending: 'clean', why: 'it ended by itself' };
  const trouble = end.type === 'exited' ? troubleOf(end.code, words) : null;
  const how =
    end.type === 'exited'
      ? `it exited with code ${end.code}`
      : `it was ended (${end.type === 'signalled' ? end.signal : end.type})`;
  return trouble === null
    ? { ending: 'crashed', why: how }
    : { ending: 'rateLimited', why: `${how}: ${trouble.error.replaceAll('_', ' ')}`, trouble };
}

function troubleOf(code: number, { tail, failure, isClaude }: AgentWords): AgentFailure | null {
  if (failure !== null) return isAccountTrouble(failure.error) ? failure : null;
  const error = isClaude ? claudeError(tail) : commandError(code, tail);
  return error === null ? null : { error, text: tail };
}

function commandError(code: number, tail: string): string | null {
  return code === TEMPORARY_FAILURE || RATE_LIMIT.test(tail) ? 'rate_limit' : null;
}

/** As 2.1.325 prints it, for the case that its hook was lost, which happens when it exits. */
const CLAUDE_ERRORS: readonly (readonly [RegExp, string])[] = [
  [/^(?:Invalid API key|Failed to authenticate)\b|\bPlease run \/login\b/m, 'authentication_failed'],
  [/^API Error: .*\b429\b|^You've hit your .{1,40}\blimit\b|^Claude (?:AI )?usage limit reached\b/m, 'rate_limit'],
  [/^Credit balance is too low\b/m, 'billing_error'],
  [/^API Error: 5\d\d\b/m, 'server_error'],
];

const LAST_CHARS = 400;

function claudeError(tail: string): string | null {
  const last = tail.trimEnd().slice(-LAST_CHARS);
  return CLAUDE_ERRORS.find(([words]) => words.test(last))?.[1] ?? null;
}
