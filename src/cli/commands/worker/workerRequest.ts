import { decideIdleLimit } from '../../../fleet/decisions/workerKinds.ts';
import type { WorkerRequest } from '../../../launch/attempt/workerRequest.ts';
import { UserError } from '../../../system/userError.ts';
import { durationMs, wholeNumber } from '../task/readFlags.ts';

/** The options that `worker run` and `fleet up` share, as text. */
export interface AgentOptions {
  readonly agent: string;
  readonly type: string;
  readonly queue?: string;
  readonly types?: string;
  readonly store?: string;
  readonly account?: string;
  readonly idleTimeout?: string;
  readonly worktrees?: boolean;
  readonly removeWorktrees?: boolean;
}

export interface WorkerOptions extends AgentOptions {
  readonly slot?: string;
  readonly incarnation?: string;
  readonly drainTimeout: string;
}

export function workerRequest(words: readonly string[], options: WorkerOptions): WorkerRequest {
  const { agent, type, slot, incarnation, queue, types, store } = options;
  return {
    agent,
    kind: type,
    slot,
    incarnation: incarnation === undefined ? undefined : wholeNumber('--incarnation', incarnation, { least: 1 }),
    queue,
    types: types?.split(',').map((one) => one.trim()),
    store,
    account: accountOf(options),
    ...idleLimit(options),
    drainMs: durationMs('--drain-timeout', options.drainTimeout),
    worktrees: options.worktrees === true,
    removeWorktrees: removesWorktrees(options),
    words,
  };
}

/** By default, workers with the same agent share an account. */
export const accountOf = ({ account, agent }: AgentOptions): string =>
  account ?? agent.trim().split(/\s/, 1)[0] ?? agent;

export function idleLimit({ type: kind, idleTimeout }: AgentOptions): Pick<WorkerRequest, 'idleLimitMs' | 'warnings'> {
  const idleTimeoutMs = idleTimeout === undefined ? undefined : idleTimeoutOf(idleTimeout);
  const limit = decideIdleLimit({ kind, idleTimeoutMs });
  if (limit.type === 'limit') return { idleLimitMs: limit.idleLimitMs, warnings: limit.warning ? [limit.warning] : [] };
  throw new UserError(`--type ${kind} is not a kind of worker; use ${limit.known.join(', ')}.`);
}

export const idleTimeoutOf = (text: string): number | null =>
  text === 'never' ? null : durationMs('--idle-timeout', text);

export function removesWorktrees({ worktrees, removeWorktrees }: AgentOptions): boolean {
  if (removeWorktrees && !worktrees) throw new UserError('--remove-worktrees needs --worktrees; give both.');
  return removeWorktrees === true;
}
