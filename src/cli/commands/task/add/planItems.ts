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
  readonly number?: number;
}

/** An item that is not added because it is done. */
export interface SkippedItem {
  readonly line: number;
  readonly title: string;
  readonly key?: string;
  readonly number?: number;
}

export type ReadTasks =
  | { readonly type: 'read'; readonly items: readonly TaskItem[]; readonly skipped: readonly SkippedItem[] }
  /** One sentence, with the line. */
  | { readonly type: 'broken'; readonly reason: string };

/** The values of the flags, for every task that does not set its own. */
export interface AddDefaults {
  readonly task: Omit<NewTask, 'title'>;
  /** Whole ids. */
  readonly after: readonly string[];
}

export interface PlanFacts {
  readonly items: readonly TaskItem[];
  readonly skipped: readonly SkippedItem[];
  readonly defaults: AddDefaults;
  readonly now: number;
  /** The whole id of a task in the store; throws when there is none. */
  findId(ref: string): Promise<string>;
}

/** The tasks as the store takes them, with every name in `after` resolved. */
export async function planItems(facts: PlanFacts): Promise<readonly NewTask[]> {
  const names = namesOf(facts);
  const known = new Map<string, Promise<string>>();
  const findId = (ref: string) => {
    const found = known.get(ref) ?? facts.findId(ref);
    known.set(ref, found);
    return found;
  };
  const planned: NewTask[] = [];
  for (const item of facts.items) {
    const refs: DependencyRef[] = [...facts.defaults.after];
    for (const ref of item.fields.after ?? []) {
      const named = names.get(ref.toLowerCase());
      if (named === 'several') throw new UserError(`Line ${item.line}: several tasks in the list are named '${ref}'.`);
      if (named === 'done') continue;
      refs.push(named === undefined ? await findId(ref) : { position: named });
    }
    planned.push({ ...facts.defaults.task, ...fieldsOf(item, facts.now), dependsOn: refs });
  }
  return planned;
}

type Named = number | 'done' | 'several';

interface NamedItem {
  readonly as: Named;
  readonly key: string | undefined;
  readonly title: string;
  readonly number: number | undefined;
}

/** By key, title, or number in a numbered list, in this order of precedence. */
function namesOf({ items, skipped }: PlanFacts): ReadonlyMap<string, Named> {
  const all: NamedItem[] = [
    ...items.map(({ fields: { key, title }, number }, position) => ({ as: position, key, title, number })),
    ...skipped.map(({ key, title, number }) => ({ as: 'done' as const, key, title, number })),
  ];
  return new Map([
    ...namedBy(all, ({ number }) => number),
    ...namedBy(all, ({ title }) => title),
    ...namedBy(all, ({ key }) => key),
  ]);
}

function namedBy(all: readonly NamedItem[], word: (item: NamedItem) => string | number | undefined) {
  const names = new Map<string, Named>();
  for (const item of all) {
    const name = word(item);
    if (name === undefined) continue;
    const lower = String(name).toLowerCase();
    names.set(lower, names.has(lower) ? 'several' : item.as);
  }
  return names;
}

function fieldsOf({ line, fields }: TaskItem, now: number): NewTask {
  const { after: _after, delay, at, maxClaims, timeBudget, hold, ...rest } = fields;
  const place = (name: string) => `Line ${line}: ${name}`;
  return {
    ...rest,
    ...(delay === undefined ? {} : { delayMs: fieldMs(place('delay'), delay) }),
    ...(at === undefined ? {} : { runAt: timeAt(place('at'), at, now) }),
    ...(maxClaims === undefined ? {} : { maxReclaims: maxClaims, maxReleases: maxClaims }),
    ...(timeBudget === undefined ? {} : { timeBudgetMs: fieldMs(place('timeBudget'), timeBudget) }),
    ...(hold === undefined ? {} : { holdReason: hold }),
  };
}

const fieldMs = (name: string, value: string | number) =>
  typeof value === 'number' ? Math.round(value * 1000) : durationMs(name, value);
