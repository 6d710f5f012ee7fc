import type { Node } from 'jsonc-parser';
import type { SettingsDocument, Token } from './settingsDocument.ts';

export interface NewChild {
  /** For a member of an object; an element of an array has none. */
  readonly key?: string;
  readonly value: unknown;
}

/**
 * The text with one more child at the end of an object or array, written as its surroundings are: on lines of its own
 * or not, with their indent and line ends, with a comma behind if that is the custom. Every byte that was there stays.
 */
export function insertChild(document: SettingsDocument, container: Node, child: NewChild): string {
  const { text, eol } = document;
  const close = container.offset + container.length - 1;
  const before = lastTokenBefore(document, close);
  const last = container.children?.at(-1);
  const spread = isSpread(document, container);
  const indent = childIndent(document, container);
  const key = child.key === undefined ? '' : `${JSON.stringify(child.key)}: `;
  const written = key + (spread ? spreadJson(document, child.value, indent) : JSON.stringify(child.value));
  if (!last) {
    const rest = text.slice(before.end, close);
    const tail = rest.includes('\n') ? rest : spread ? eol + lineIndent(text, container.offset) : rest;
    return `${text.slice(0, before.end)}${spread ? eol + indent : ''}${written}${tail}${text.slice(close)}`;
  }
  const lead = spread ? eol + indent : ' ';
  const lastEnd = last.offset + last.length;
  if (commaAfter(document, last)) return `${text.slice(0, before.end)}${lead}${written},${text.slice(before.end)}`;
  return `${text.slice(0, lastEnd)},${text.slice(lastEnd, before.end)}${lead}${written}${text.slice(before.end)}`;
}

/** The last comment or piece of JSON that ends at or before the offset; there always is one inside a container. */
export function lastTokenBefore({ tokens }: SettingsDocument, offset: number): Token {
  const found = tokens.findLast(({ end }) => end <= offset);
  if (!found) throw new Error('nothing comes before the first token of a settings file');
  return found;
}

/** The comma that belongs to a child, whatever comments lie between. */
export function commaAfter({ tokens }: SettingsDocument, child: Node): Token | undefined {
  const end = child.offset + child.length;
  const next = tokens.find(({ start, type }) => start >= end && !type.endsWith('Comment'));
  return next?.type === 'comma' ? next : undefined;
}

/** True when children stand on lines of their own; an empty container does as the one around it. */
function isSpread({ text }: SettingsDocument, container: Node): boolean {
  const asAll = container.children?.length ? container : container.parent?.parent;
  return !asAll || text.slice(asAll.offset, asAll.offset + asAll.length).includes('\n');
}

function childIndent({ text, root }: SettingsDocument, container: Node): string {
  const own = container.children?.map(({ offset }) => indentOfStart(text, offset)).find((one) => one !== undefined);
  return own ?? lineIndent(text, container.offset) + unitOf(text, root);
}

/** One step of indent, as the file's first member that starts a line shows it. */
function unitOf(text: string, root: Node): string {
  const indents = root.children?.map(({ offset }) => indentOfStart(text, offset)) ?? [];
  return indents.find((indent) => indent) ?? '  ';
}

/** The blanks before something that starts its line; undefined when it does not. */
function indentOfStart(text: string, offset: number): string | undefined {
  let start = offset;
  // only over blanks: a file may be one line of a megabyte with thousands of members
  while (start > 0 && /[^\S\n]/.test(text.charAt(start - 1))) start--;
  return text.charAt(start - 1) === '\n' ? text.slice(start, offset) : undefined;
}

function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? '';
}

function spreadJson({ text, root, eol }: SettingsDocument, value: unknown, indent: string): string {
  return JSON.stringify(value, null, unitOf(text, root)).replaceAll('\n', eol + indent);
}
