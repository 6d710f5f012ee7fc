import { accountTroubleKind, isAccountTrouble } from '../../fleet/decisions/accountRest.ts';
import type { AgentEnd } from '../../fleet/worker/runWorker.ts';
import type { AgentCommand } from '../../hosts/agentCommand.ts';
import type { ProcessEnd } from '../../system/processes.ts';
import type { AgentFailure } from './failureFile.ts';

/** What commands of any kind print when a provider has had enough of them; read only when they failed. */
const RATE_LIMIT = /\b429\b|rate.?limit|usage limit|hit your .{1,40}\blimit\b|quota exceeded|too many requests/i;
/** As `sysexits` has it: try again later. */
const TEMPORARY_FAILURE = 75;
/** From here on a code says that a signal ended it, which anything can send. */
const SIGNALLED_FROM = 128;

export interface AgentWords {
  /** The last of what it printed, both streams. */
  readonly tail: string;
  /** The last of its stderr. */
  readonly stderr: string;
  /** What is in the file that its StopFailure hook keeps; anything that runs as this user can have written it. */
  readonly failure: AgentFailure | null;
  readonly wiredBy: AgentCommand['wiredBy'];
}

export function agentEnd(end: ProcessEnd, words: AgentWords): AgentEnd {
  // a prompt that is too long for a command line is the task's, anything else is not
  if (end.type === 'notStarted') return { ending: end.code === 'E2BIG' ? 'crashed' : 'launchFailed', why: end.error };
  if (end.type === 'exited' && end.code === 0) return { ending: 'clean', why: 'it ended by itself' };
  const trouble =
    end.type === 'exited' && end.code < SIGNALLED_FROM ? TROUBLE_OF[words.wiredBy](end.code, words) : null;
  const how =
    end.type === 'exited'
      ? `it exited with code ${end.code}`
      : `it was ended (${end.type === 'signalled' ? end.signal : end.type})`;
  return trouble === null
    ? { ending: 'crashed', why: how }
    : { ending: 'rateLimited', why: `${how}: ${trouble.error.replaceAll('_', ' ')}`, trouble };
}

type TroubleOf = (code: number, words: AgentWords) => NonNullable<AgentEnd['trouble']> | null;

/**
 * A pause stops every worker of the account, so the file alone does not decide: the agent's commands can write it too. It counts
 * as far as the agent's own process, which ended by itself with a failure, printed the same.
 */
const TROUBLE_OF: { readonly [By in AgentCommand['wiredBy']]: TroubleOf } = {
  claudeSettings: (_code, { tail, failure }) => {
    const last = tail.trimEnd().slice(-LAST_CHARS);
    const printed = CLAUDE_ERRORS.find(([words]) => words.test(last))?.[1] ?? null;
    if (printed === null) return failure !== null && isPrinted(failure, tail) ? known(failure) : null;
    if (failure !== null && !isAccountTrouble(failure.error)) return null;
    // the hook knows the kind more exactly, the printed words name the moment
    const isSameKind = failure !== null && accountTroubleKind(failure.error) === accountTroubleKind(printed);
    return { error: isSameKind ? failure.error : printed, text: last };
  },
  itself: (_code, { stderr, tail, failure }) => {
    if (failure === null) return null;
    const isNamed = stderr.includes(`(${failure.error.replaceAll('_', ' ')})`);
    return isNamed || isPrinted(failure, tail) ? known(failure) : null;
  },
  environment: (code, { tail }) => {
    const isLimited = code === TEMPORARY_FAILURE || RATE_LIMIT.test(tail.trimEnd().slice(-LAST_CHARS));
    return isLimited ? { error: 'rate_limit', text: tail } : null;
  },
};

const known = (failure: AgentFailure) => (isAccountTrouble(failure.error) ? failure : null);

/** Short words are in every output. */
const SHORTEST_MESSAGE = 12;

/** Its last words are those that the hook was told, as they are or inside JSON. */
function isPrinted({ message }: AgentFailure, tail: string): boolean {
  const said = message.trim();
  if (said.length < SHORTEST_MESSAGE) return false;
  return tail.trimEnd().endsWith(said) || tail.includes(JSON.stringify(said).slice(1, -1));
}

/** As 2.1.325 prints it. */
const CLAUDE_ERRORS: readonly (readonly [RegExp, string])[] = [
  [/^(?:Invalid API key|Failed to authenticate)\b|\bPlease run \/login\b/m, 'authentication_failed'],
  [/^API Error: .*\b429\b|^You've hit your .{1,40}\blimit\b|^Claude (?:AI )?usage limit reached\b/m, 'rate_limit'],
  [/^Credit balance is too low\b/m, 'billing_error'],
  [/^API Error: 5\d\d\b/m, 'server_error'],
];

const LAST_CHARS = 400;
