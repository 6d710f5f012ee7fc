/** The flags of the commands that claim and settle, as data: most of them are the same. */
export interface TaskFlag {
  readonly name: string;
  /** Its value's name, for the help; without one it is a switch. */
  readonly value?: string;
  readonly about: string;
  /** May be repeated, or hold several with commas. */
  readonly many?: true;
}

const STORE: TaskFlag = { name: 'store', value: 'place', about: 'a file or postgres://… (else STOPGATE_STORE)' };
const JSON_FLAG: TaskFlag = { name: 'json', about: 'for scripts; nothing is cut' };
const WORKER: TaskFlag = { name: 'worker', value: 'name', about: 'as whom (else STOPGATE_WORKER, else this shell)' };

const SETTLE: readonly TaskFlag[] = [
  { name: 'epoch', value: 'n', about: 'of your claim, as `task claim` printed it: the proof that it is still yours' },
  { name: 'attempt', value: 'id', about: 'of your claim, in place of the epoch or with it' },
  WORKER,
  JSON_FLAG,
  STORE,
];

export const CLAIM_FLAGS: readonly TaskFlag[] = [
  WORKER,
  { name: 'type', value: 'type', about: 'only tasks of this type (repeatable)', many: true },
  { name: 'queue', value: 'name', about: 'from this queue' },
  { name: 'task', value: 'id', about: 'this one or none' },
  { name: 'wait', value: 'time', about: 'how long to wait for one, such as 30s' },
  JSON_FLAG,
  STORE,
];

export const COMPLETE_FLAGS: readonly TaskFlag[] = [
  { name: 'result', value: 'text', about: 'what was done; @FILE reads it, - takes it from stdin' },
  { name: 'next', about: 'and claim the next task for the same worker, in one go' },
  ...SETTLE,
];

export const FAIL_FLAGS: readonly TaskFlag[] = [
  { name: 'error', value: 'text', about: 'why; @FILE reads it, - takes it from stdin' },
  { name: 'retry-after', value: 'time', about: "when to try again, in place of the task's own backoff" },
  { name: 'final', about: 'never try again' },
  ...SETTLE,
];

export const RELEASE_FLAGS: readonly TaskFlag[] = [
  { name: 'note', value: 'text', about: 'what the next attempt should know; @FILE reads it, - takes it from stdin' },
  { name: 'reason', value: 'why', about: 'rate_limited, drained, abandoned, continued, or any words' },
  { name: 'delay', value: 'time', about: 'not before this long from now' },
  ...SETTLE,
];

export const ADDITIONAL_FLAGS = { store: STORE, json: JSON_FLAG } as const;

export const splitList = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value.split(',').flatMap((one) => one.trim() || []),
];
