import type { NewTaskLine } from '../../../../schemas/newTasks.ts';
import { UserError } from '../../../../system/userError.ts';
import type { DependencyRef, NewTask } from '../../../wiring/store/openedStore.ts';
import { durationMs, timeAt } from '../readFlags.ts';

/** A task as written in the input. */
export interface TaskItem {
  /** Counted from 1. */
  readonly line: number;
  readonly fields: NewTaskLine;
  /** In a numbered list: another name for it. */
  readonly number?: number | undefined;
  /** Not added, but others may name it. */
  readonly isDone?: boolean;
}

export interface PlanFacts {
  readonly items: readonly TaskItem[];
  /** For every task that does not set its own. */
  readonly defaults: Omit<NewTask, 'title'>;
  /** The whole ids of tasks that all of them wait for. */
  readonly after: readonly string[];
  readonly now: number;
  /** The whole id of a task in the store; throws when there is none. */
  findId(ref: string): Promise<string>;
}

/** The tasks as the store takes them, with every name in `after` resolved. */
export async function planItems(facts: PlanFacts): Promise<readonly NewTask[]> {
  const names = namesOf(facts.items);
  const known = new Map<string, Promise<string>>();
  const findId = (ref: string) => {
    const found = known.get(ref) ?? facts.findId(ref);
    known.set(ref, found);
    return found;
  };
  const planned: NewTask[] = [];
  for (const { line, fields, isDone } of facts.items) {
    if (isDone) continue;
    const dependsOn: DependencyRef[] = [...facts.after];
    for (const ref of fields.after ?? []) {
      const named = names.get(ref.toLowerCase());
      if (named === 'several') throw new UserError(`Line ${line}: several tasks in the list are named '${ref}'.`);
      if (named === 'done') continue;
      dependsOn.push(named === undefined ? await findId(ref) : { position: named });
    }
    const own = storeFields(fields, facts.now, (name) => `Line ${line}: ${name}`);
    planned.push({ ...facts.defaults, ...own, title: fields.title, dependsOn });
  }
  return planned;
}

/** A position among the tasks that are added. */
type Named = number | 'done' | 'several';

/** By key, title, or number in a numbered list, in this order of precedence. */
function namesOf(items: readonly TaskItem[]): ReadonlyMap<string, Named> {
  let position = 0;
  const all = items.map((item) => ({ ...item, as: item.isDone ? ('done' as const) : position++ }));
  const namedBy = (wordOf: (item: TaskItem) => string | number | undefined) => {
    const names = new Map<string, Named>();
    for (const item of all) {
      const name = wordOf(item)?.toString().toLowerCase();
      if (name !== undefined) names.set(name, names.has(name) ? 'several' : item.as);
    }
    return names;
  };
  return new Map([
    ...namedBy(({ number }) => number),
    ...namedBy(({ fields }) => fields.title),
    ...namedBy(({ fields }) => fields.key),
  ]);
}

/** The fields of a line or the values of flags as the store takes them; `nameOf` is for errors. */
export function storeFields(
  fields: { readonly [Name in keyof NewTaskLine]?: NewTaskLine[Name] | undefined },
  now: number,
  nameOf: (field: string) => string,
): Omit<NewTask, 'title'> {
  const {
    title: _title,
    after: _after,
    delay,
    at,
    maxClaims,
    timeBudget,
    totalTime,
    hold,
    maxBudgetUsd,
    concurrency,
    repo,
    ...rest
  } = fields;
  const ms = (name: string, value: string | number) =>
    typeof value === 'number' ? Math.round(value * 1000) : durationMs(nameOf(name), value);
  return {
    ...rest,
    ...(delay !== undefined && { delayMs: ms('delay', delay) }),
    ...(at !== undefined && { runAt: timeAt(nameOf('at'), at, now) }),
    ...(maxClaims !== undefined && { maxReclaims: maxClaims, maxReleases: maxClaims }),
    ...(timeBudget !== undefined && { timeBudgetMs: ms('timeBudget', timeBudget) }),
    ...(totalTime !== undefined && { totalTimeMs: ms('totalTime', totalTime) }),
    ...(maxBudgetUsd !== undefined && { costBudgetUsd: maxBudgetUsd }),
    ...(hold !== undefined && { holdReason: hold }),
    ...(concurrency !== undefined && { concurrencyLimit: concurrency }),
    ...(repo !== undefined && { repository: repo }),
  };
}
