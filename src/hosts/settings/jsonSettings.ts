import type { Node } from 'jsonc-parser';
import { getNodeValue } from 'jsonc-parser';
import type { SettingEntry } from '../../schemas/settingsHold.ts';
import type { SettingsEdit } from './format.ts';
import { lastValue, membersOf } from './ownedHooks.ts';
import {
  brokenAt,
  type HookStyle,
  insertChild,
  isBlank,
  readDocument,
  removeChild,
  replaced,
} from './settingsDocument.ts';

type Style = Pick<HookStyle, 'comments'>;

/** Gives a setting our value, in the innermost object that exists. */
export function addSetting(text: string, { path, value }: SettingEntry, style: Style): SettingsEdit {
  const read = readDocument(text, style);
  if (read.type === 'broken') return read;
  const { node, left } = deepest(read.root, path);
  const [key, ...below] = left;
  if (key === undefined) return edited(replaced(text, node.offset, node.length, JSON.stringify(value)));
  if (node.type !== 'object') {
    const at = path.slice(0, path.length - left.length);
    return brokenAt(text, at, `\`${at.join('.')}\` must be an object in braces`);
  }
  return edited(insertChild(text, node, { key, value: nested(below, value) }));
}

/** Restores a setting that still has our value; objects that it leaves empty stay if the original had them. */
export function removeSetting(
  text: string,
  { path, value }: SettingEntry,
  { original, style }: { readonly original: string; readonly style: Style },
): SettingsEdit {
  const read = readDocument(text, style);
  if (read.type === 'broken') return read;
  const before = isBlank(original) ? undefined : rootOf(original, style);
  const { node, left } = deepest(read.root, path);
  if (left.length > 0 || JSON.stringify(getNodeValue(node)) !== JSON.stringify(value)) return edited(text);
  const earlier = before && deepest(before, path);
  if (earlier?.left.length === 0) {
    const { offset, length } = earlier.node;
    return edited(replaced(text, node.offset, node.length, original.slice(offset, offset + length)));
  }
  const kept = earlier ? path.length - earlier.left.length : 0;
  return edited(removeChild(text, highestMember(node, path.length - kept)));
}

export const settingValue = (root: Node, path: readonly string[]): unknown => {
  const { node, left } = deepest(root, path);
  return left.length === 0 ? getNodeValue(node) : undefined;
};

/** The member of the value, or of the outermost object that it would leave empty, at most so many steps above it. */
function highestMember(value: Node, steps: number): Node {
  const member = value.parent ?? value;
  const container = member.parent;
  const isAlone = membersOf(container).length === 1;
  return steps > 1 && isAlone && container?.parent ? highestMember(container, steps - 1) : member;
}

function deepest(root: Node, path: readonly string[]): { readonly node: Node; readonly left: readonly string[] } {
  const [key, ...below] = path;
  const next = key === undefined ? undefined : lastValue(root, key);
  return next === undefined ? { node: root, left: path } : deepest(next, below);
}

const nested = (keys: readonly string[], value: unknown): unknown =>
  keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);

function rootOf(text: string, style: Style): Node | undefined {
  const read = readDocument(text, style);
  return read.type === 'read' ? read.root : undefined;
}

const edited = (text: string): SettingsEdit => ({ type: 'edited', text });
