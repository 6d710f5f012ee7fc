import { oneLine } from '../../../output/visibleText.ts';
import type { Task } from '../../../wiring/store/openedStore.ts';
import { needsPerson, stateOf } from './stateOf.ts';
import {
  type ActName,
  type ActRequest,
  type Context,
  type Pressed,
  pressWhileAsked,
  select,
  selectedIndex,
} from './ui.ts';
import { holderOf, type Pane } from './watchFacts.ts';

/** One key: what it does now, or why it does nothing. */
export interface KeyRow {
  /** As the terminal library names them. */
  readonly keys: readonly string[];
  readonly shown: string;
  /** For the list of all keys. */
  readonly about: string;
  /** A word for the footer; null when it does not apply now. */
  label(context: Context): string | null;
  press(context: Context): Pressed;
  /** Shown when it is pressed and does not apply; default: nothing happens. */
  readonly otherwise?: string;
}

const isList = ({ ui }: Context) => ui.page.type === 'list';
const openTasks: ReadonlySet<Task['status']> = new Set(['claimed', 'ready', 'delayed', 'blocked', 'held', 'verifying']);
const waitingTasks: ReadonlySet<Task['status']> = new Set(['ready', 'delayed', 'blocked']);

const taskOf = ({ item }: Context): Task | undefined => (item?.type === 'task' ? item.task : undefined);
const accountOf = ({ item }: Context): string | null => (item?.type === 'worker' ? item.worker.accountKey : null);
const queueOf = ({ item }: Context): string | null => {
  if (item?.type === 'worker') return item.worker.queue;
  return item?.type === 'task' ? item.task.queue : null;
};

/** The task of the row: itself, or what its worker has. */
function openTask({ item }: Context): { readonly id: string; readonly title: string } | null {
  if (item?.type === 'task') return openTasks.has(item.task.status) ? item.task : null;
  if (item?.type !== 'worker' || item.worker.taskId === null) return null;
  return { id: item.worker.taskId, title: item.worker.taskTitle ?? '' };
}

function outputOf({ item, facts }: Context): string | null {
  if (item?.type === 'task') return holderOf(facts, item.id)?.id ?? null;
  return item?.id ?? null;
}

const quoted = (title: string) => `“${oneLine(title, 40)}”`;
const confirm = (words: string, act: ActName, target: string): Pressed => ({
  ui: { question: { words, request: { act, target } } },
});
const ask = (words: string, request: ActRequest, text = ''): Pressed => ({
  ui: { typing: { for: request, words, text } },
});
const did = (act: ActName, target: string): Pressed => ({ effect: { type: 'act', request: { act, target } } });

function moveBy(context: Context, by: number): Pressed {
  const { ui, items } = context;
  // an output is counted from its end
  if (!isList(context)) {
    const scroll = ui.page.type === 'output' ? ui.scroll - by : ui.scroll + by;
    return { ui: { scroll: Math.max(0, scroll) } };
  }
  return { ui: select(ui, ui.pane, selectedIndex(ui, ui.pane, items[ui.pane]) + by, items[ui.pane]) };
}

/** Beyond any list; the page limits it. */
const FARTHEST = 1_000_000;

const moving = (keys: readonly string[], by: (context: Context) => number): KeyRow => ({
  keys,
  shown: keys[0] ?? '',
  about: '',
  label: () => null,
  press: (context) => moveBy(context, by(context)),
});

const isPaused = (context: Context, account: string) =>
  context.facts.status.accounts.some(({ key }) => key === account);

/** What `a` asks; null when the row does not need a person. */
function answer(context: Context): Pressed | null {
  const { item, facts, now } = context;
  if (item === undefined || !needsPerson(item, facts)) return null;
  const why = oneLine(stateOf(item, facts, now).why, 80);
  if (item.type === 'task') return confirm(`Release ${quoted(item.task.title)}? It is ${why}`, 'unhold', item.id);
  const account = accountOf(context) ?? '';
  return confirm(`Resume ${why}? Fix the cause in another terminal first.`, 'resumeAccount', account);
}

/** Selects the first row that needs a person, in either pane. */
function nextNeed({ ui, items, facts }: Context): Pressed | null {
  for (const pane of ['workers', 'tasks'] satisfies Pane[]) {
    const at = items[pane].findIndex((item) => needsPerson(item, facts));
    if (at !== -1)
      return { ui: { ...select(ui, pane, at, items[pane]), message: 'This needs you: press a to answer.' } };
  }
  return null;
}

/** In the order of the footer: what is most useful first. */
export const KEYS: readonly KeyRow[] = [
  {
    keys: ['enter'],
    shown: 'enter',
    about: "a worker's live output, or all about a task",
    label: (context) =>
      !isList(context) || context.item === undefined ? null : context.item.type === 'task' ? 'details' : 'output',
    press: ({ item }) => {
      if (item?.type === 'task') return { ui: { page: { type: 'task', taskId: item.id }, scroll: 0 } };
      return { ui: { page: { type: 'output', workerId: item?.id ?? '' }, scroll: 0 } };
    },
  },
  {
    keys: ['escape'],
    shown: 'esc',
    about: 'back; without a page, removes the filter',
    label: (context) => (!isList(context) ? 'back' : context.ui.filter === '' ? null : 'no filter'),
    press: (context) => ({ ui: isList(context) ? { filter: '' } : { page: { type: 'list' }, scroll: 0 } }),
  },
  {
    keys: ['a'],
    shown: 'a',
    about: 'answer what needs you (release a held task, resume an account that you fixed), or go to it',
    label: (context) => {
      if (answer(context) !== null) return 'answer';
      return isList(context) && nextNeed(context) !== null ? 'needs you' : null;
    },
    press: (context) => answer(context) ?? nextNeed(context) ?? {},
    otherwise: 'Nothing needs you.',
  },
  {
    keys: ['c'],
    shown: 'c',
    about: 'cancel the task (asks first)',
    label: (context) => (openTask(context) === null ? null : 'cancel'),
    press: (context) => {
      const task = openTask(context);
      return task === null
        ? {}
        : confirm(`Cancel task ${task.id.slice(0, 8)} ${quoted(task.title)}?`, 'cancel', task.id);
    },
    otherwise: 'There is nothing to cancel here: only a task that has not ended can be cancelled.',
  },
  {
    keys: ['r'],
    shown: 'r',
    about: 'requeue a dead or cancelled task, with its counts at zero',
    label: (context) => (['dead', 'cancelled'].includes(taskOf(context)?.status ?? '') ? 'requeue' : null),
    press: (context) => did('redrive', taskOf(context)?.id ?? ''),
    otherwise: 'Only a dead or cancelled task can be requeued.',
  },
  {
    keys: ['p'],
    shown: 'p',
    about: "pause or resume a worker's account; hold or release a waiting task",
    label: (context) => pauseOf(context)?.label ?? null,
    press: (context) => pauseOf(context)?.pressed ?? {},
    otherwise: 'Only the account of a worker or a waiting task can be paused; P pauses the queue.',
  },
  {
    keys: ['P', 'shift+p'],
    shown: 'P',
    about: 'pause or resume the queue of the row',
    label: (context) => {
      const queue = queueOf(context);
      return queue === null ? null : context.facts.pausedQueues.has(queue) ? 'resume queue' : 'pause queue';
    },
    press: (context) => {
      const queue = queueOf(context) ?? '';
      if (context.facts.pausedQueues.has(queue)) return did('resumeQueue', queue);
      return confirm(`Pause the queue ${queue}? Claimed tasks continue; no new ones are claimed.`, 'pauseQueue', queue);
    },
  },
  {
    keys: ['o'],
    shown: 'o',
    about: "the live output of a task's worker",
    label: (context) =>
      context.ui.page.type !== 'output' && taskOf(context) && outputOf(context) !== null ? 'output' : null,
    press: (context) => ({ ui: { page: { type: 'output', workerId: outputOf(context) ?? '' }, scroll: 0 } }),
    otherwise: 'No worker has this task now.',
  },
  {
    keys: ['tab', 'shift+tab'],
    shown: 'tab',
    about: 'between workers and tasks',
    label: (context) => (isList(context) ? (context.ui.pane === 'workers' ? 'tasks' : 'workers') : null),
    press: ({ ui }) => ({ ui: { pane: ui.pane === 'workers' ? 'tasks' : 'workers' } }),
  },
  {
    keys: ['/'],
    shown: '/',
    about: 'filter by name, title, queue, type, host or state',
    label: (context) => (isList(context) ? 'filter' : null),
    press: ({ ui }) => ({ ui: { typing: { for: 'filter', words: 'Filter:', text: ui.filter } } }),
  },
  {
    keys: ['?'],
    shown: '?',
    about: 'this list; again closes it',
    label: ({ ui }) => (ui.page.type === 'keys' ? 'close' : 'keys'),
    press: ({ ui }) => ({ ui: { page: { type: ui.page.type === 'keys' ? 'list' : 'keys' }, scroll: 0 } }),
  },
  {
    keys: ['q', 'ctrl+c', 'ctrl+d'],
    shown: 'q',
    about: 'quit; workers and tasks go on',
    label: () => 'quit',
    press: () => ({ effect: { type: 'quit' } }),
  },
  moving(['up', 'k'], () => -1),
  moving(['down', 'j'], () => 1),
  moving(['pageUp', 'ctrl+b'], ({ rows }) => -rows),
  moving(['pageDown', 'ctrl+f'], ({ rows }) => rows),
  moving(['home', 'g'], () => -FARTHEST),
  moving(['end', 'G', 'shift+g'], () => FARTHEST),
  { ...moving([], () => 0), keys: ['ctrl+z'], press: () => ({ effect: { type: 'suspend' } }) },
];

/** What `p` does on this row; null when nothing of it can be paused. */
function pauseOf(context: Context): { readonly label: string; readonly pressed: Pressed } | null {
  const account = accountOf(context);
  if (account !== null) {
    if (isPaused(context, account)) return { label: 'resume account', pressed: did('resumeAccount', account) };
    const words = `Pause account ${account} for:`;
    return { label: 'pause account', pressed: ask(words, { act: 'pauseAccount', target: account }, '1h') };
  }
  const task = taskOf(context);
  if (task?.status === 'held') return { label: 'release', pressed: did('unhold', task.id) };
  if (task === undefined || !waitingTasks.has(task.status)) return null;
  return { label: 'hold', pressed: ask(`Hold ${quoted(task.title)}, because:`, { act: 'hold', target: task.id }) };
}

/** What a key does: it answers a question, is typed, or is one of the table. */
export function press(context: Context, key: string, typed = ''): Pressed {
  if (key === 'ctrl+c') return { effect: { type: 'quit' } };
  const asked = pressWhileAsked(context, key, typed);
  if (asked !== null) return asked;
  const row = KEYS.find(({ keys }) => keys.includes(key));
  if (row === undefined) return {};
  const cleared: Pressed['ui'] = { message: null };
  if (row.about !== '' && row.label(context) === null) return { ui: { message: row.otherwise ?? null } };
  const { ui, effect } = row.press(context);
  return { ui: { ...cleared, ...ui }, ...(effect && { effect }) };
}

/** The keys that apply now, with what they do. */
export function keysNow(context: Context): readonly string[] {
  if (context.ui.question !== null) return ['y yes', 'n no'];
  if (context.ui.typing !== null) return ['enter done', 'esc cancel'];
  return KEYS.flatMap((row) => {
    const label = row.label(context);
    return label === null ? [] : [`${row.shown} ${label}`];
  });
}
