import { claimedOutcome, newAttempt } from '../newAttempt.ts';
import type { Claimed } from '../outcomes.ts';
import type { Requests } from '../requests.ts';
import { inSnakeCase } from '../snakeCase.ts';
import type { Task } from '../task.ts';
import { DEFAULT_QUEUE } from '../taskDefaults.ts';

/**
 * The columns of a claimed task as the database sends them, in this order and without names: naming or typing each value there
 * took longer than claiming. The other fields are known from the request.
 */
const TEXTS = [
  'id',
  'type',
  'title',
  'body',
  'verify',
  'dedupeKey',
  'parentId',
  'lastError',
  'repository',
  'base',
  'judge',
] as const;
const NUMBERS = [
  'priority',
  'runAt',
  'epoch',
  'failures',
  'maxFailures',
  'reclaims',
  'maxReclaims',
  'releases',
  'maxReleases',
  'backoffMs',
  'timeBudgetMs',
  'createdAt',
  'updatedAt',
] as const;

type Sent = (typeof TEXTS | typeof NUMBERS)[number];

const arrayOf = (names: readonly Sent[], type: string) =>
  `array_to_json(ARRAY[${names.map((name) => `t.${inSnakeCase(name)}`).join(', ')}]::${type}[])`;

/** The server inlines its body, so a call costs nothing. */
export const CLAIMED_ROW_FUNCTION = `
CREATE OR REPLACE FUNCTION stopgate.claimed_row(t stopgate.tasks) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_array(${arrayOf(TEXTS, 'text')}, ${arrayOf(NUMBERS, 'bigint')})
$$;
`;

type ClaimedRow = readonly [
  texts: readonly (string | null)[],
  numbers: readonly (number | null)[],
  /** What only some tasks have. */
  more?: readonly [
    body: string,
    costBudgetUsd: number | null,
    previous: Claimed['previous'],
    tokenBudget: number | null,
    totalTimeMs: number | null,
    countedFrom: number,
    limitMs: number | null,
  ],
];

type Answer = ClaimedRow | { readonly next?: Answer };

/** The outcome of a call; only claims have a compact form. */
export function outcomeOf(answer: Answer, request: object): object {
  if (isClaimedRow(answer)) return claimedOf(answer, request as Requests['claim']);
  if (!isClaimedRow(answer.next)) return answer;
  const { lease, next } = request as Requests['complete'];
  const { workerId, incarnation } = lease;
  return { ...answer, next: outcomeOf(answer.next, { ...next, workerId, incarnation }) };
}

function isClaimedRow(answer: unknown): answer is ClaimedRow {
  return Array.isArray(answer);
}

function claimedOf(row: ClaimedRow, request: Requests['claim']): Claimed {
  const task = taskOf(row, request);
  // without budgets of all attempts, that of one is the limit
  const limitMs = row[2]?.[6] ?? task.timeBudgetMs;
  return claimedOutcome(task, newAttempt(task, request, { now: task.updatedAt, limitMs }), row[2]?.[2] ?? null);
}

const NOTHING_SENT: Readonly<Record<Sent, null>> = JSON.parse(
  `{${[...TEXTS, ...NUMBERS].map((name) => `"${name}":null`)}}`,
);

function taskOf([texts, numbers, more]: ClaimedRow, { queue = DEFAULT_QUEUE, claimKey }: Requests['claim']): Task {
  // starts as a copy: V8 makes a slow hash table of an object that gets more than a dozen computed names one by one
  const sent: Record<Sent, string | number | null> = { ...NOTHING_SENT };
  for (const [at, name] of TEXTS.entries()) sent[name] = texts[at] ?? null;
  for (const [at, name] of NUMBERS.entries()) sent[name] = numbers[at] ?? null;
  return {
    ...(sent as Pick<Task, Sent>),
    queue,
    body: more?.[0] ?? texts[TEXTS.indexOf('body')] ?? '',
    state: 'claimed',
    status: 'claimed',
    unmetDependencies: 0,
    attemptId: claimKey,
    costBudgetUsd: more?.[1] ?? null,
    tokenBudget: more?.[3] ?? null,
    totalTimeMs: more?.[4] ?? null,
    countedFrom: more?.[5] ?? 0,
    holdReason: null,
    // a task with a key is claimed by the full function
    concurrencyKey: null,
    concurrencyLimit: null,
    verifyHolder: null,
    verifyUntil: null,
    result: null,
  };
}
