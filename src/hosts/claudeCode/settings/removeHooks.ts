import type { Node } from 'jsonc-parser';
import { keyOf, lastValue, membersOf, memberValue, type OwnedEntry, ownedEntries } from './ownedHooks.ts';
import { endOf, isBlank, readDocument, removeChild, type SettingsEdit, withoutBom } from './settingsDocument.ts';

export interface RemovalWish {
  /** The file before our change: its containers stay, even if they are empty now. */
  readonly original?: string | undefined;
  /** Entries of ours that stay. */
  readonly keeps?: ((key: string) => boolean) | undefined;
}

/** The settings without our entries and the groups and lists that they leave empty; all other bytes stay. */
export function removeHooks(text: string, { original = '', keeps = () => false }: RemovalWish = {}): SettingsEdit {
  const [bom, body] = withoutBom(text);
  if (isBlank(body)) return { type: 'edited', text };
  const [, before] = withoutBom(original);
  const earlier = readDocument(before);
  const root = earlier.type === 'read' ? earlier.root : undefined;
  let left = body;
  // one at a time, since each removal moves the text after it
  for (;;) {
    const read = readDocument(left);
    if (read.type === 'broken') return read;
    const entry = ownedEntries(read.root).find(({ key }) => !keeps(key));
    if (!entry) return { type: 'edited', text: bom + left };
    const child = highestChild(entry, root);
    left = removeChild(left, child, insideOf(containerBefore(child.parent, root), before));
  }
}

/** The entry, or the outermost container that it would leave empty and that we added. */
function highestChild({ node, group, eventMember }: OwnedEntry, before: Node | undefined): Node {
  const list = memberValue(eventMember);
  let child = node;
  if (group) {
    if (isOnly(node) && membersOf(group).every((member) => ['matcher', 'hooks'].includes(keyOf(member)))) child = group;
    else return child;
  }
  if (!isOnly(child) || containerBefore(list, before)) return child;
  const hooks = eventMember.parent;
  if (!isOnly(eventMember) || containerBefore(hooks, before)) return eventMember;
  return hooks?.parent ?? eventMember;
}

const isOnly = (node: Node): boolean => node.parent?.children?.length === 1;

/** The same container in the original file: the root, `hooks` or an event's list. */
function containerBefore(container: Node | undefined, before: Node | undefined): Node | undefined {
  if (!container?.parent) return container && before;
  // items of a list may have moved
  if (container.parent.type !== 'property') return undefined;
  const value = lastValue(containerBefore(container.parent.parent, before), keyOf(container.parent));
  return value?.type === container.type ? value : undefined;
}

/** The whitespace inside a container that was empty in the original. */
function insideOf(container: Node | undefined, text: string): string {
  if (!container || (container.children?.length ?? 0) > 0) return '';
  return text.slice(container.offset + 1, endOf(container) - 1);
}
