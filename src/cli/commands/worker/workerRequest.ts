import { parseDuration } from '../../../budget/timeBudget.ts';
import { decideIdleLimit } from '../../../fleet/decisions/workerKinds.ts';
import { UserError } from '../../../system/userError.ts';

/** What the command line gave, as text. */
export interface WorkerOptions {
  readonly agent: string;
  readonly type: string;
  readonly slot?: string;
  readonly incarnation?: string;
  readonly queue?: string;
  readonly types?: string;
  readonly store?: string;
  readonly account?: string;
  readonly idleTimeout?: string;
  readonly drainTimeout: string;
  readonly worktrees?: boolean;
  readonly removeWorktrees?: boolean;
}

export interface WorkerRequest {
  readonly agent: string;
  readonly kind: string;
  readonly slot: string | undefined;
  readonly incarnation: number | undefined;
  readonly queue: string | undefined;
  readonly types: readonly string[] | undefined;
  readonly store: string | undefined;
  readonly account: string;
  readonly idleLimitMs: number | null;
  readonly drainMs: number;
  readonly worktrees: boolean;
  readonly removeWorktrees: boolean;
  readonly words: readonly string[];
  readonly warnings: readonly string[];
}

export function workerRequest(words: readonly string[], options: WorkerOptions): WorkerRequest {
  const idleTimeoutMs = options.idleTimeout === undefined ? undefined : idleTimeout(options.idleTimeout);
  const limit = decideIdleLimit({ kind: options.type, idleTimeoutMs });
  if (limit.type === 'unknownKind') {
    throw new UserError(`--type ${options.type} is not a kind of worker; there are ${limit.known.join(', ')}.`);
  }
  return {
    agent: options.agent,
    kind: options.type,
    slot: options.slot,
    incarnation: options.incarnation === undefined ? undefined : whole('--incarnation', options.incarnation),
    queue: options.queue,
    types: options.types?.split(',').map((type) => type.trim()),
    store: options.store,
    // whose limits it meets: one account for each agent unless told
    account: options.account ?? options.agent.split(/\s/, 1)[0] ?? options.agent,
    idleLimitMs: limit.idleLimitMs,
    drainMs: duration('--drain-timeout', options.drainTimeout),
    worktrees: options.worktrees === true,
    removeWorktrees: removesWorktrees(options),
    words,
    warnings: limit.warning === null ? [] : [limit.warning],
  };
}

export function removesWorktrees({
  worktrees,
  removeWorktrees,
}: Pick<WorkerOptions, 'worktrees' | 'removeWorktrees'>): boolean {
  if (removeWorktrees && !worktrees) throw new UserError('--remove-worktrees is for --worktrees; give both.');
  return removeWorktrees === true;
}

function idleTimeout(text: string): number | null {
  return text === 'never' ? null : duration('--idle-timeout', text);
}

function duration(flag: string, text: string): number {
  const seconds = parseDuration(text);
  if (seconds === null) throw new UserError(`${flag} ${text} is not a length of time; write 90s, 20m or 1h30m.`);
  return seconds * 1000;
}

function whole(flag: string, text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new UserError(`${flag} ${text} is not a whole number.`);
  return Number(text);
}
