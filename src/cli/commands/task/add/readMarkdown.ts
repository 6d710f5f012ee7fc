import type { NewTaskLine } from '../../../../schemas/newTasks.ts';
import type { ReadTasks, SkippedItem, TaskItem } from './planItems.ts';

/** `- title`, `* [ ] title`, `3. [x] title`, at any depth. */
const ITEM = /^(?<indent>\s*)(?:[-*+]|(?<number>\d{1,9})[.)])\s+(?:\[(?<box>[ xX])\]\s+)?(?<title>\S.*)$/;
const FENCE = /^\s*(```|~~~)/;

interface Open {
  readonly line: number;
  readonly indent: number;
  readonly number?: number;
  readonly isDone: boolean;
  readonly title: string;
  readonly body: string[];
}

/**
 * Every item of a Markdown list is a task, nested ones included; text indented below an item is its body. `- [x]` is
 * skipped. Only `(after: …)` sets an order. Headings and plain paragraphs belong to no task.
 */
export function readMarkdown(text: string): ReadTasks {
  const found: Open[] = [];
  let inFence = false;
  // a paragraph at the left edge ends the item before it
  let inItem = false;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const item = inFence ? null : ITEM.exec(line);
    const last = inItem ? found.at(-1) : undefined;
    if (item) {
      found.push(opened(item, index + 1));
      inItem = true;
    } else if (last && (line.trim() === '' || indentOf(line) > last.indent || inFence)) last.body.push(line);
    else inItem = false;
    if (!item && FENCE.test(line)) inFence = !inFence;
  }
  if (found.length === 0) {
    return {
      type: 'broken',
      reason: 'The input contains no list: write tasks as lines like `- [ ] title`, or one JSON object per line.',
    };
  }
  return sorted(found);
}

function opened({ groups = {} }: RegExpExecArray, line: number): Open {
  const { indent = '', number, box, title = '' } = groups;
  return {
    line,
    indent: widthOf(indent),
    ...(number === undefined ? {} : { number: Number(number) }),
    isDone: box !== undefined && box !== ' ',
    title,
    body: [],
  };
}

function sorted(found: readonly Open[]): ReadTasks {
  const items: TaskItem[] = [];
  const skipped: SkippedItem[] = [];
  for (const { line, number, isDone, title: written, body } of found) {
    const { title, key, after } = marksOf(written);
    const named = { line, ...(number === undefined ? {} : { number }) };
    if (title === '') return { type: 'broken', reason: `Line ${line} has marks in parentheses but no title.` };
    if (isDone) skipped.push({ ...named, title, ...(key === undefined ? {} : { key }) });
    else items.push({ ...named, fields: withoutGaps({ title, body: bodyText(body), key, after }) });
  }
  return { type: 'read', items, skipped };
}

const MARK = /\s*\((after|key):\s*([^()]*)\)/gi;

/** `Deploy (key: deploy) (after: build, test)`. */
function marksOf(written: string): { title: string; key?: string | undefined; after?: string[] | undefined } {
  const after: string[] = [];
  let key: string | undefined;
  for (const [, name = '', value = ''] of written.matchAll(MARK)) {
    if (name.toLowerCase() === 'key') key = value.trim();
    else after.push(...value.split(',').flatMap((one) => one.trim() || []));
  }
  return { title: written.replaceAll(MARK, '').trim(), key, after: after.length === 0 ? undefined : after };
}

function withoutGaps(fields: { [Name in keyof NewTaskLine]: NewTaskLine[Name] | undefined }): NewTaskLine {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as NewTaskLine;
}

/** Without the indent that all lines share. */
function bodyText(lines: readonly string[]): string | undefined {
  const filled = lines.filter((line) => line.trim() !== '');
  if (filled.length === 0) return undefined;
  const shared = Math.min(...filled.map((line) => line.length - line.trimStart().length));
  return lines
    .map((line) => line.slice(Math.min(shared, line.length - line.trimStart().length)).trimEnd())
    .join('\n')
    .trim();
}

const indentOf = (line: string) => widthOf(line.slice(0, line.length - line.trimStart().length));
const widthOf = (blank: string) => blank.replaceAll('\t', '    ').length;
