import { UserError } from '../../../../system/userError.ts';
import type { DependencyRef, NewTask } from '../../../wiring/store/openedStore.ts';
import { durationMs, momentAt } from '../readFlags.ts';
import type { SkippedItem, TaskItem } from './taskItem.ts';

/** What the flags of the command say for every task that does not say it itself. */
export interface AddDefaults {
  readonly task: Omit<NewTask, 'title'>;
  /** Ids, whole. */
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

/** The tasks as the store takes them, with every name in `after` found. */
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
      if (named === 'several') throw new UserError(`Line ${item.line}: several tasks of the list are called '${ref}'.`);
      // what is done has nobody waiting for it
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

/** By key, by title, or by number in a numbered list; the first of these that names something counts. */
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
    ...(delay === undefined ? {} : { delayMs: lengthMs(place('delay'), delay) }),
    ...(at === undefined ? {} : { runAt: momentAt(place('at'), at, now) }),
    ...(maxClaims === undefined ? {} : { maxReclaims: maxClaims, maxReleases: maxClaims }),
    ...(timeBudget === undefined ? {} : { timeBudgetMs: lengthMs(place('timeBudget'), timeBudget) }),
    ...(hold === undefined ? {} : { holdReason: hold }),
  };
}

const lengthMs = (name: string, said: string | number) =>
  typeof said === 'number' ? Math.round(said * 1000) : durationMs(name, said);
