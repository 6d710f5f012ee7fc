import type { DependencyRef, NewTask } from './newTask.ts';
import type { Outcomes } from './outcomes.ts';
import type { PlannedTask } from './requests.ts';
import { TASK_DEFAULTS } from './taskDefaults.ts';
import { NO_VERIFICATION } from './verification.ts';

type BatchPlan = { readonly type: 'planned'; readonly tasks: readonly PlannedTask[] } | Refused;

/** Checks a batch without a store: resolves names, fills in defaults, finds cycles inside it. */
export function planBatch(tasks: readonly NewTask[], newId: () => string = newTaskId): BatchPlan {
  const ids = idsOf(tasks, newId);
  const byKey = new Map(tasks.flatMap(({ key }, position) => (key === undefined ? [] : [[key, position] as const])));
  const planned: PlannedTask[] = [];
  for (const [position, task] of tasks.entries()) {
    const invalid = whyInvalid(task);
    if (invalid) return refused(position, 'invalid', invalid);
    const dependsOn = new Set<string>();
    for (const ref of task.dependsOn ?? []) {
      const id = resolveRef(ref, ids, byKey);
      if (id === undefined) {
        return refused(position, 'unknownDependency', `There is no task with ${nameOf(ref)} in this batch.`);
      }
      dependsOn.add(id);
    }
    planned.push(withDefaults(task, ids[position] as string, [...dependsOn]));
  }
  const cyclic = findCycle(planned);
  if (cyclic !== undefined) return refused(cyclic, 'cycle', 'It depends on itself, directly or through others.');
  return { type: 'planned', tasks: planned };
}

type Refused = Extract<Outcomes['addTasks'], { type: 'refused' }>;

export function refused(position: number, problem: Refused['problem'], reason: string): Refused {
  return { type: 'refused', position, problem, reason };
}

/** A task whose dedupe key came earlier in the batch is that earlier task. */
function idsOf(tasks: readonly NewTask[], newId: () => string): string[] {
  const byDedupeKey = new Map<string, string>();
  return tasks.map(({ id = newId(), dedupeKey }) => {
    if (dedupeKey === undefined) return id;
    const first = byDedupeKey.get(dedupeKey) ?? id;
    byDedupeKey.set(dedupeKey, first);
    return first;
  });
}

function resolveRef(
  ref: DependencyRef,
  ids: readonly string[],
  byKey: ReadonlyMap<string, number>,
): string | undefined {
  if (typeof ref === 'string') return ref;
  return ids[('key' in ref ? byKey.get(ref.key) : ref.position) ?? -1];
}

function nameOf(ref: DependencyRef): string {
  return typeof ref === 'string' ? ref : 'key' in ref ? `key ${ref.key}` : `position ${ref.position}`;
}

function withDefaults(task: NewTask, id: string, dependsOn: readonly string[]): PlannedTask {
  return {
    id,
    queue: task.queue ?? TASK_DEFAULTS.queue,
    type: task.type ?? TASK_DEFAULTS.type,
    title: task.title,
    body: task.body ?? '',
    priority: task.priority ?? TASK_DEFAULTS.priority,
    delayMs: task.delayMs ?? 0,
    runAt: task.runAt ?? 0,
    dependsOn,
    onDependencyFailure: task.onDependencyFailure ?? TASK_DEFAULTS.onDependencyFailure,
    dedupeKey: task.dedupeKey ?? null,
    parentId: task.parentId ?? null,
    maxFailures: task.maxFailures ?? TASK_DEFAULTS.maxFailures,
    maxReclaims: task.maxReclaims ?? TASK_DEFAULTS.maxReclaims,
    maxReleases: task.maxReleases ?? TASK_DEFAULTS.maxReleases,
    backoffMs: task.backoffMs ?? TASK_DEFAULTS.backoffMs,
    timeBudgetMs: task.timeBudgetMs ?? null,
    costBudgetUsd: task.costBudgetUsd ?? null,
    tokenBudget: task.tokenBudget ?? null,
    totalTimeMs: task.totalTimeMs ?? null,
    verify: task.verify ?? null,
    judge: task.judge ?? null,
    holdReason: task.holdReason ?? null,
    repository: task.repository ?? null,
    base: task.base ?? null,
    concurrencyKey: task.concurrencyKey ?? null,
    concurrencyLimit: task.concurrencyKey === undefined ? null : (task.concurrencyLimit ?? 1),
  };
}

/** 32 digits and letters that cannot be confused with one another: five bits each. */
export const ID_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** 80 bits, random from the first character on, unlike a UUIDv7, so that a short prefix names a task. */
export function newTaskId(): string {
  return Array.from({ length: 16 }, () => ID_DIGITS[Math.floor(Math.random() * 32)]).join('');
}

const WHOLE_FIELDS = [
  'priority',
  'delayMs',
  'runAt',
  'backoffMs',
  'timeBudgetMs',
  'totalTimeMs',
  'tokenBudget',
] as const;
const COUNT_FIELDS = ['maxFailures', 'maxReclaims', 'maxReleases', 'concurrencyLimit'] as const;
const TEXT_FIELDS = [
  'title',
  'body',
  'id',
  'queue',
  'type',
  'dedupeKey',
  'parentId',
  'verify',
  'judge',
  'holdReason',
  'repository',
  'base',
  'concurrencyKey',
] as const;

/** An empty one names nothing: no worker would look there. */
const NAME_FIELDS = ['queue', 'type', 'dedupeKey', 'concurrencyKey'] as const;

const LANE_FIELDS = ['queue', 'concurrencyKey'] as const;

/** Only what a store could not keep unchanged: PostgreSQL has 32 bits for a priority and no NUL in a text. */
export function whyInvalid(task: NewTask): string | undefined {
  const whole = WHOLE_FIELDS.find((field) => task[field] !== undefined && !Number.isSafeInteger(task[field]));
  if (whole) return `Its ${whole} must be a whole number.`;
  if (Math.abs(task.priority ?? 0) > 2 ** 31 - 1) return 'Its priority must fit into 32 bits.';
  const isCount = (value: number) => Number.isInteger(value) && value >= 1 && value <= 1_000_000;
  const count = COUNT_FIELDS.find((field) => !isCount(task[field] ?? 1));
  if (count) return `Its ${count} must be a whole number from 1 to a million.`;
  const text = TEXT_FIELDS.find((field) => task[field]?.includes('\0'));
  if (text) return `Its ${text} must not contain the character NUL.`;
  // lanes of stores are named by a queue and a key, with this character between them
  const lane = LANE_FIELDS.find((field) => task[field]?.includes('\x01'));
  if (lane) return `Its ${lane} must not contain the character U+0001.`;
  const unnamed = NAME_FIELDS.find((field) => task[field]?.trim() === '');
  if (unnamed) return `Its ${unnamed} must not be empty.`;
  if (task.concurrencyLimit !== undefined && task.concurrencyKey === undefined)
    return 'Its concurrencyLimit needs a concurrencyKey.';
  if (task.id !== undefined && !/^[\w.:-]{4,64}$/.test(task.id))
    return 'Its id must be 4 to 64 letters, digits or . : _ -';
  if (task.title.trim() === '') return 'It needs a title.';
  if (task.judge !== undefined) return whyNoJudge(task.judge, task.verify);
  return undefined;
}

/** A model is never the only one that decides. */
function whyNoJudge(judge: string, verify: string | undefined): string | undefined {
  if (judge.trim() === '') return 'Its judge needs criteria.';
  return verify === NO_VERIFICATION ? 'Its judge needs a command or check before it.' : undefined;
}

/** The position of a task that can never start because of a cycle in the batch. */
function findCycle(tasks: readonly PlannedTask[]): number | undefined {
  if (tasks.every(({ dependsOn }) => dependsOn.length === 0)) return undefined;
  const positions = new Map(tasks.map(({ id }, position) => [id, position] as const).reverse());
  const inside = tasks.map(({ dependsOn }) => dependsOn.flatMap((id) => positions.get(id) ?? []));
  const dependants: number[][] = tasks.map(() => []);
  for (const [position, dependencies] of inside.entries()) {
    for (const dependency of dependencies) dependants[dependency]?.push(position);
  }
  const unmet = inside.map((dependencies) => dependencies.length);
  const free = unmet.flatMap((count, position) => (count === 0 ? [position] : []));
  for (let next = free.pop(); next !== undefined; next = free.pop()) {
    for (const dependant of dependants[next] ?? []) {
      unmet[dependant] = (unmet[dependant] ?? 0) - 1;
      if (unmet[dependant] === 0) free.push(dependant);
    }
  }
  const stuck = unmet.findIndex((count) => count > 0);
  return stuck === -1 ? undefined : stuck;
}
