/** How long a worker of each kind may be idle before it stops. Null: never stops. */
const WORKER_KINDS = {
  default: 10 * 60_000,
  critical: 30 * 60_000,
  temporary: 5 * 60_000,
  persistent: null,
} as const satisfies Readonly<Record<string, number | null>>;

export type IdleLimitDecision =
  | { readonly type: 'limit'; readonly idleLimitMs: number | null; readonly warning: string | null }
  | { readonly type: 'unknownKind'; readonly known: readonly string[] };

const NEVER_STOPS =
  'This worker never stops when idle: it stays through every rate limit of its account and joins each wake-up; end it yourself when you no longer need it.';

/** `--idle-timeout` overrides the kind. Null: never stops. */
export function decideIdleLimit(kind: string, idleTimeoutMs?: number | null): IdleLimitDecision {
  if (!isWorkerKind(kind)) return { type: 'unknownKind', known: Object.keys(WORKER_KINDS) };
  const idleLimitMs = idleTimeoutMs === undefined ? WORKER_KINDS[kind] : idleTimeoutMs;
  return { type: 'limit', idleLimitMs, warning: idleLimitMs === null ? NEVER_STOPS : null };
}

export function isWorkerKind(text: string): text is keyof typeof WORKER_KINDS {
  return Object.hasOwn(WORKER_KINDS, text);
}
