import { applyEdits, format, type Node, parseTree, stripComments } from 'jsonc-parser';
import { type JsonPath, locateJsonPath, parseJson } from '../../schemas/json.ts';
import type { HookEntry } from '../../schemas/settingsHold.ts';
import type { BrokenSettings } from './format.ts';

/** How a host writes hooks in JSON. */
export interface HookStyle {
  /** How a hook is written in its group. */
  hook(entry: HookEntry): object;
  /** What the host does with a file that has comments: reads it, or a clause about what it does instead. */
  readonly comments: 'read' | string;
}

export function withoutBom(text: string): readonly [bom: string, body: string] {
  return text.startsWith('\ufeff') ? ['\ufeff', text.slice(1)] : ['', text];
}

/** An empty file counts as one without settings. */
export const isBlank = (body: string): boolean => body.trim() === '';

/** The structure of JSON without a BOM. Of two members with one key the last one counts. */
export function readDocument(
  text: string,
  { comments }: Pick<HookStyle, 'comments'>,
): { readonly type: 'read'; readonly root: Node } | BrokenSettings {
  const isRead = comments === 'read';
  const json = parseJson(isRead ? withoutComments(text) : text);
  if (json.type === 'broken') return isRead ? json : { ...json, message: `${json.message}, and ${comments}` };
  const root = parseTree(text);
  if (root?.type !== 'object') return brokenAt(text, [], 'settings must be an object in braces');
  return { type: 'read', root };
}

/** Blanks in their place, so that lines and columns stay. */
const withoutComments = (text: string) => stripComments(text, ' ');

export function brokenAt(text: string, path: JsonPath, message: string): BrokenSettings {
  return { type: 'broken', ...(locateJsonPath(text, path) ?? { line: 1, column: 1 }), message };
}

export interface NewChild {
  /** For a member of an object; an element of an array has none. */
  readonly key?: string;
  readonly value: unknown;
}

/*
 * `modify` of jsonc-parser is not used: it reformats whole lines around a change, and of two members with the same key it
 * changes the first.
 */

/** Adds a child at the end of an object or array, on lines of its own if the others are. */
export function insertChild(text: string, container: Node, { key, value }: NewChild): string {
  const last = container.children?.at(-1);
  const offset = last ? endOf(last) : container.offset + 1;
  const name = key === undefined ? '' : `${JSON.stringify(key)}:`;
  const content = `${last ? ',' : ''}${name}${JSON.stringify(value)}`;
  const added = replaced(text, offset, 0, content);
  if (!isSpread(text, container)) return added;
  const { offset: start, length } = last ? { offset, length: 0 } : container;
  return applyEdits(added, format(added, { offset: start, length: length + content.length }, indentOf(text)));
}

/** True when children are on their own lines; an empty container follows the one around it. */
function isSpread(text: string, container: Node): boolean {
  const example = container.children?.length ? container : container.parent?.parent;
  return !example || text.slice(example.offset, endOf(example)).includes('\n');
}

/** One step of indent, from the file's first indented line. */
function indentOf(text: string) {
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  ';
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol: '\n' };
}

/** Undoes `insertChild` exactly. `emptied` is the whitespace that replaces an only child. */
export function removeChild(text: string, child: Node, emptied = ''): string {
  const { offset = 0, length = 0, children = [] } = child.parent ?? {};
  if (children.length === 1) return replaced(text, offset + 1, length - 2, emptied);
  const at = children.indexOf(child);
  const [previous, next] = [children[at - 1], children[at + 1]];
  const from = previous ? endOf(previous) : child.offset;
  return replaced(text, from, (previous ? endOf(child) : (next?.offset ?? endOf(child))) - from, '');
}

export const endOf = ({ offset, length }: Node): number => offset + length;

export function replaced(text: string, offset: number, length: number, content: string): string {
  return `${text.slice(0, offset)}${content}${text.slice(offset + length)}`;
}
