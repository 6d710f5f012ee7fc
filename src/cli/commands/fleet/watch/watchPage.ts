import { hostNameOf } from '../../../../system/thisHost.ts';
import { wrapped } from '../../../output/page.ts';
import { columnsOf, oneLine, visibleText } from '../../../output/visibleText.ts';
import type { Layout } from '../status/fleetStatusText.ts';
import { KEYS, keysNow } from './keys.ts';
import { listPage, type PageBody } from './listPage.ts';
import { wholeText } from './paneLines.ts';
import { shownLine } from './shownLine.ts';
import { stateOf } from './stateOf.ts';
import { markedState } from './states.ts';
import type { Context, UiPage } from './ui.ts';

/** What other pages show; read when they are opened. */
export interface Opened {
  /** Lines of an output, the newest last, or why there are none. */
  readonly output: readonly string[];
  /** `stopgate task show`, for a width. */
  readonly task: (width: number) => readonly string[];
}

export interface WatchView {
  readonly context: Context;
  readonly opened: Opened;
  /** Why the store does not answer, and how old the rest is. */
  readonly away: string | null;
}

/** The whole screen: the page, a line for what is asked or happened, and the keys that apply. */
export function watchPage({ context, opened, away }: WatchView, layout: Layout): PageBody {
  const { paint, width, height } = layout;
  const keys = footerLines(keysNow(context), width, height < NARROW_HEIGHT || width >= WIDE ? 1 : 2);
  const foot = [...statusLines(context, away, layout), ...keys.map((line) => paint('dim', line))];
  const body = PAGES[context.ui.page.type](context, opened, { ...layout, height: Math.max(1, height - foot.length) });
  const lines = [...body.lines.slice(0, Math.max(0, height - foot.length))];
  while (lines.length < height - foot.length) lines.push('');
  return { ...body, lines: [...lines, ...foot].slice(-height) };
}

const KEPT_KEYS = 2;
const WIDE = 80;
const NARROW = 60;
const NARROW_HEIGHT = 10;

/** As many as fit into some lines; the last ones, help and how to leave, always. */
function footerLines(keys: readonly string[], width: number, most: number): readonly string[] {
  for (let count = keys.length; count > KEPT_KEYS; count--) {
    const lines = inLines([...keys.slice(0, count - KEPT_KEYS), ...keys.slice(-KEPT_KEYS)], width);
    if (lines.length <= most) return lines;
  }
  return [oneLine(keys.slice(-KEPT_KEYS).join(SEPARATOR), width)];
}

const SEPARATOR = ' · ';

function inLines(keys: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const key of keys) {
    const next = line === '' ? key : `${line}${SEPARATOR}${key}`;
    if (line !== '' && columnsOf(next) > width) {
      lines.push(line);
      line = key;
    } else line = next;
  }
  return [...lines, line];
}

const MOST_STATUS_LINES = 3;

/** What is asked, typed, wrong or done: the first that applies. A question must not be cut. */
function statusLines(
  { ui, item, facts, now }: Context,
  away: string | null,
  { paint, width }: Layout,
): readonly string[] {
  const say = (style: Parameters<typeof paint>[0], text: string, most = MOST_STATUS_LINES) =>
    wrapped(oneLine(text), width)
      .slice(0, most)
      .map((line) => paint(style, oneLine(line, width)));
  if (ui.question !== null) return say('bold', `${ui.question.words} (y/n)`, MOST_STATUS_LINES + 1);
  if (ui.typing !== null) {
    const { words, text } = ui.typing;
    const label = oneLine(words, Math.max(8, width - 12));
    return [`${paint('bold', label)} ${tail(text, width - columnsOf(label) - 2)}▏`];
  }
  if (away !== null) return say('red', away);
  if (ui.message !== null) return say('yellow', ui.message);
  if (ui.filter !== '') return say('dim', `filter: ${ui.filter}`);
  // a narrow row has little of its text
  if (item === undefined || ui.page.type !== 'list' || width >= NARROW) return [''];
  return say('dim', wholeText(item, facts, now), 2);
}

/** What was typed last is what a person looks at. */
function tail(text: string, room: number): string {
  const line = visibleText(text);
  let kept = '';
  for (const character of [...line].reverse()) {
    if (columnsOf(character + kept) > room) break;
    kept = character + kept;
  }
  return kept;
}

type ShowPage = (context: Context, opened: Opened, layout: Layout) => PageBody;

const PAGES: { readonly [Type in UiPage['type']]: ShowPage } = {
  list: (context, _opened, layout) => listPage(context, layout),
  output: (context, opened, layout) => outputPage(context, opened, layout),
  task: ({ ui }, { task }, { width, height }) => scrolled(task(width), ui.scroll, height),
  keys: ({ ui }, _opened, layout) => scrolled(keyLines(layout), ui.scroll, layout.height),
};

function scrolled(lines: readonly string[], scroll: number, height: number): PageBody {
  const mostScroll = Math.max(0, lines.length - height);
  const first = Math.min(scroll, mostScroll);
  return { lines: lines.slice(first, first + height), visible: [], mostScroll };
}

function keyLines({ paint, width }: Layout): readonly string[] {
  const rows = [
    ...KEYS.filter(({ about }) => about !== '').map(({ shown, about }) => [shown, about] as const),
    ...MOVES,
  ];
  return [
    paint('bold', 'Keys'),
    ...rows.flatMap(([shown, about]) =>
      wrapped(about, Math.max(10, width - 9)).map((line, at) => `${(at === 0 ? shown : '').padEnd(8)} ${line}`),
    ),
  ];
}

const MOVES = [
  ['↑ ↓ j k', 'move or scroll; page up, page down, home and end too'],
  ['ctrl+z', 'suspend'],
] as const;

/** A worker's facts in two lines, then the end of its output. */
function outputPage(context: Context, { output }: Opened, { paint, width, height }: Layout): PageBody {
  const { item, facts, now, ui } = context;
  const shown = item === undefined ? null : stateOf(item, facts, now);
  const worker = item?.type === 'worker' ? item.worker : null;
  const name = ui.page.type === 'output' ? ui.page.workerId : '';
  const head = [
    paint(
      'bold',
      oneLine(
        `${name} · ${shown === null ? 'has ended' : markedState(shown.state)}${shown?.why ? `: ${shown.why}` : ''}`,
        width,
      ),
    ),
    paint('dim', oneLine(worker === null ? '' : aboutWorker(worker), width)),
  ];
  const room = Math.max(1, height - head.length);
  const { lines, mostScroll } = endOf(output, { width, room, scroll: ui.scroll });
  const follow =
    Math.min(ui.scroll, mostScroll) === 0 ? 'following' : `${Math.min(ui.scroll, mostScroll)} lines up; end follows`;
  const rule = `${'─'.repeat(Math.max(0, width - follow.length - 2))} ${follow} `;
  return {
    lines: [head[0] ?? '', head[1] ?? '', paint('dim', rule), ...lines.slice(-(room - 1))],
    visible: item ? [item] : [],
    mostScroll,
  };
}

function aboutWorker({ taskId, taskTitle, host, pid, accountKey, queue }: NonNullable<WorkerOf>): string {
  const task = taskId === null ? 'no task' : `task ${taskId.slice(0, 8)} ${taskTitle ?? ''}`;
  return `${task} · queue ${queue} · account ${accountKey ?? 'none'} · ${host === null ? 'unknown host' : hostNameOf(host)}${pid === null ? '' : `, process ${pid}`}`;
}

type WorkerOf = Extract<Context['item'], { type: 'worker' }>['worker'];

/** The last lines that fit, broken at the width: only as many as are needed are broken. */
function endOf(output: readonly string[], { width, room, scroll }: { width: number; room: number; scroll: number }) {
  const lines: string[] = [];
  const wanted = room + scroll;
  for (let at = output.length - 1; at >= 0 && lines.length < wanted; at--) {
    lines.unshift(...broken(shownLine(output[at] ?? ''), width));
  }
  const mostScroll = Math.max(0, lines.length - room + 1);
  const end = lines.length - Math.min(scroll, mostScroll);
  return { lines: lines.slice(Math.max(0, end - room), end), mostScroll };
}

function broken(line: string, width: number): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const character of line) {
    if (columnsOf(piece + character) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}
