import { type Item, itemsOf, type Pane, type WatchFacts } from './watchFacts.ts';

/** A change that a person asks for, and what it is about: a task, a queue or an account. */
export interface ActRequest {
  readonly act: ActName;
  readonly target: string;
  /** A reason, or for how long. */
  readonly text?: string;
}

export type ActName =
  | 'cancel'
  | 'redrive'
  | 'hold'
  | 'unhold'
  | 'pauseQueue'
  | 'resumeQueue'
  | 'pauseAccount'
  | 'resumeAccount';

export type Effect =
  | { readonly type: 'act'; readonly request: ActRequest }
  | { readonly type: 'quit' }
  | { readonly type: 'suspend' };

/** A row stays selected while others come and go; `at` is where the selection goes when its row is gone. */
interface Selected {
  readonly id: string | null;
  readonly at: number;
}

export type UiPage =
  | { readonly type: 'list' }
  | { readonly type: 'output'; readonly workerId: string }
  | { readonly type: 'task'; readonly taskId: string }
  | { readonly type: 'keys' };

/** What a person has chosen, opened and typed. */
export interface Ui {
  readonly page: UiPage;
  readonly pane: Pane;
  readonly selected: Readonly<Record<Pane, Selected>>;
  readonly filter: string;
  /** Lines up from the end of an output, or down from the top of another page. */
  readonly scroll: number;
  /** A line that is being typed. */
  readonly typing: { readonly for: 'filter' | ActRequest; readonly words: string; readonly text: string } | null;
  /** Answered by y or n. */
  readonly question: { readonly words: string; readonly request: ActRequest } | null;
  readonly message: string | null;
}

const FIRST: Selected = { id: null, at: 0 };

export const STARTING_UI: Ui = {
  page: { type: 'list' },
  pane: 'workers',
  selected: { workers: FIRST, tasks: FIRST },
  filter: '',
  scroll: 0,
  typing: null,
  question: null,
  message: null,
};

/** What a key is pressed on. */
export interface Context {
  readonly ui: Ui;
  readonly facts: WatchFacts;
  readonly items: Readonly<Record<Pane, readonly Item[]>>;
  /** The selected row, or what the page is about. */
  readonly item: Item | undefined;
  readonly now: number;
  /** Lines of a page, for page up and page down. */
  readonly rows: number;
}

export interface Pressed {
  readonly ui?: Partial<Ui>;
  readonly effect?: Effect;
}

export function contextOf(ui: Ui, facts: WatchFacts, { now, rows }: Pick<Context, 'now' | 'rows'>): Context {
  const items = itemsOf(facts, ui.filter);
  return { ui, facts, items, item: itemOn(ui, facts, items), now, rows };
}

function itemOn(ui: Ui, facts: WatchFacts, items: Context['items']): Item | undefined {
  const { page, pane } = ui;
  if (page.type === 'output') return itemsOf(facts, '').workers.find(({ id }) => id === page.workerId);
  if (page.type === 'task') return itemsOf(facts, '').tasks.find(({ id }) => id === page.taskId);
  // keys of the help are not for a row
  if (page.type === 'keys') return undefined;
  return items[pane][selectedIndex(ui, pane, items[pane])];
}

/** -1 when there is nothing. */
export function selectedIndex({ selected }: Ui, pane: Pane, items: readonly Item[]): number {
  const { id, at } = selected[pane];
  const index = items.findIndex((item) => item.id === id);
  return index === -1 ? Math.min(at, items.length - 1) : index;
}

export function select(ui: Ui, pane: Pane, at: number, items: readonly Item[]): Partial<Ui> {
  const index = Math.max(0, Math.min(at, items.length - 1));
  return { pane, selected: { ...ui.selected, [pane]: { id: items[index]?.id ?? null, at: index } } };
}

/** With a row selected wherever there is one, so that the selection stays on it when rows are added above. */
export function withSelection(ui: Ui, facts: WatchFacts): Ui {
  const items = itemsOf(facts, ui.filter);
  const selected = (pane: Pane): Selected => {
    const at = selectedIndex(ui, pane, items[pane]);
    return at === -1 ? FIRST : { id: items[pane][at]?.id ?? null, at };
  };
  return { ...ui, selected: { workers: selected('workers'), tasks: selected('tasks') } };
}

/** The next key answers a question or a line that is being typed; null when there is neither. */
export function pressWhileAsked({ ui }: Pick<Context, 'ui'>, key: string, typed: string): Pressed | null {
  const { question, typing } = ui;
  if (question !== null) {
    if (key === 'y') return { ui: { question: null }, effect: { type: 'act', request: question.request } };
    return key === 'n' || key === 'escape' ? { ui: { question: null, message: 'Nothing was changed.' } } : {};
  }
  if (typing === null) return null;
  const { for: use, text } = typing;
  const change = (next: string): Pressed => ({
    ui: { typing: { ...typing, text: next }, ...(use === 'filter' && { filter: next }) },
  });
  if (key === 'escape') return { ui: { typing: null, ...(use === 'filter' && { filter: '' }) } };
  if (key === 'enter') {
    if (use === 'filter') return { ui: { typing: null } };
    return { ui: { typing: null }, effect: { type: 'act', request: { ...use, text: text.trim() } } };
  }
  if (key === 'backspace') return change([...text].slice(0, -1).join(''));
  return key === 'ctrl+u' ? change('') : change(text + typed);
}
