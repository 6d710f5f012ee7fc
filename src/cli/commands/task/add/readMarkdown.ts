import { UserError } from '../../../../system/userError.ts';
import { splitList } from '../taskOptions.ts';
import type { TaskItem } from './planItems.ts';

/** `- title`, `* [ ] title`, `3. [x] title`, at any depth. */
const ITEM = /^(?<indent>\s*)(?:[-*+]|(?<number>\d{1,9})[.)])\s+(?:\[(?<box>[ xX])\]\s+)?(?<title>\S.*)$/;
const FENCE = /^\s*(```|~~~)/;

interface Open {
  readonly line: number;
  readonly groups: Readonly<Record<string, string | undefined>>;
  readonly indent: number;
  readonly body: string[];
}

/**
 * Every item of a Markdown list is a task, nested ones included; text indented below an item is its body. `- [x]` is
 * skipped. Only `(after: …)` sets an order. Headings and plain paragraphs belong to no task.
 */
export function readMarkdown(text: string): readonly TaskItem[] {
  const found: Open[] = [];
  let inFence = false;
  // a paragraph at the left edge ends the item before it
  let inItem = false;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const item = inFence ? null : ITEM.exec(line);
    const last = inItem ? found.at(-1) : undefined;
    if (item) {
      found.push({ line: index + 1, groups: item.groups ?? {}, indent: indentOf(line), body: [] });
      inItem = true;
    } else if (last && (line.trim() === '' || indentOf(line) > last.indent || inFence)) last.body.push(line);
    else inItem = false;
    if (!item && FENCE.test(line)) inFence = !inFence;
  }
  if (found.length > 0) return found.map(itemOf);
  throw new UserError(
    'The input contains no list: write tasks as lines like `- [ ] title`, or one JSON object per line.',
  );
}

const MARK = /\s*\((after|key):\s*([^()]*)\)/gi;

/** `Deploy (key: deploy) (after: build, test)`. */
function itemOf({ line, groups, body: lines }: Open): TaskItem {
  const { number, box = ' ', title: written = '' } = groups;
  const title = written.replaceAll(MARK, '').trim();
  if (title === '') throw new UserError(`Line ${line} has marks in parentheses but no title.`);
  const marks = [...written.matchAll(MARK)].map(([, name = '', value = '']) => ({ name: name.toLowerCase(), value }));
  const key = marks.findLast(({ name }) => name === 'key')?.value.trim();
  const after = marks.flatMap(({ name, value }) => (name === 'after' ? splitList(value) : []));
  const body = bodyText(lines);
  return {
    line,
    number: number === undefined ? undefined : Number(number),
    isDone: box !== ' ',
    fields: { title, ...(body && { body }), ...(key !== undefined && { key }), ...(after.length > 0 && { after }) },
  };
}

/** Without the indent that all lines share. */
function bodyText(lines: readonly string[]): string {
  const blanks = (line: string) => line.length - line.trimStart().length;
  const shared = Math.min(...lines.filter((line) => line.trim() !== '').map(blanks));
  return lines
    .map((line) => line.slice(Math.min(shared, blanks(line))).trimEnd())
    .join('\n')
    .trim();
}

const indentOf = (line: string) => (/^\s*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;
