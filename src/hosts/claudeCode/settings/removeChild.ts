import type { Node } from 'jsonc-parser';
import { commaAfter, lastTokenBefore } from './insertChild.ts';
import type { SettingsDocument, Token } from './settingsDocument.ts';

interface Cut {
  readonly from: number;
  readonly to: number;
}

/**
 * The text without one member or element and without the comma it needed: what `insertChild` did, undone to the byte.
 * Comments around it stay. A container that is empty then gets `emptied` for its inside, if only blanks differ.
 */
export function removeChild(document: SettingsDocument, child: Node, emptied = ''): string {
  const { text } = document;
  const container = child.parent;
  if (!container) throw new Error('the whole document is no child');
  const cuts = [...commaOfPrevious(document, container, child), ...cutsOf(document, child)];
  if (container.children?.length !== 1) return without(text, 0, text.length, cuts);
  const open = container.offset + 1;
  const close = container.offset + container.length - 1;
  const inside = without(text, open, close, cuts);
  const same = withoutBlanks(inside) === withoutBlanks(emptied);
  return `${text.slice(0, open)}${same ? emptied : inside}${text.slice(close)}`;
}

const withoutBlanks = (text: string) => text.replaceAll(/\s/g, '');

/** A last child without a comma of its own leaves one too many behind the child before it. */
function commaOfPrevious(document: SettingsDocument, container: Node, child: Node): readonly Cut[] {
  const children = container.children ?? [];
  const previous = children.at(-2);
  if (children.at(-1) !== child || !previous || commaAfter(document, child)) return [];
  const comma = commaAfter(document, previous);
  return comma ? [{ from: comma.start, to: comma.end }] : [];
}

function cutsOf(document: SettingsDocument, child: Node): readonly Cut[] {
  const end = child.offset + child.length;
  const comma = commaAfter(document, child);
  const next = nextToken(document, end);
  // a comment between the child and its comma is somebody's: the comma is cut alone
  if (comma && next !== comma) {
    return [
      { from: startOfCut(document, child, end), to: end },
      { from: comma.start, to: comma.end },
    ];
  }
  const to = comma?.end ?? end;
  return [{ from: startOfCut(document, child, to), to }];
}

/**
 * From the token before, so that the child's line goes with it; but when something follows on that line it keeps the
 * line break, without which it could end up inside a `//` comment.
 */
function startOfCut(document: SettingsDocument, child: Node, to: number): number {
  const { text } = document;
  const before = lastTokenBefore(document, child.offset);
  const follows = nextToken(document, to);
  const lineEnds = text.slice(to, follows?.start).includes('\n');
  return before.type === 'lineComment' && !lineEnds ? child.offset : before.end;
}

function nextToken({ tokens }: SettingsDocument, from: number): Token | undefined {
  return tokens.find(({ start }) => start >= from);
}

function without(text: string, from: number, to: number, cuts: readonly Cut[]): string {
  const sorted = cuts.toSorted((a, b) => a.from - b.from);
  const starts = [from, ...sorted.map((cut) => cut.to)];
  const ends = [...sorted.map((cut) => cut.from), to];
  return starts.map((start, index) => text.slice(start, ends[index])).join('');
}
