import type { Node } from 'jsonc-parser';
import type { RemovalWish, SettingsEdit } from './format.ts';
import { keyOf, lastValue, membersOf, memberValue, type OwnedHook, ownedHooks } from './ownedHooks.ts';
import { endOf, type HookStyle, readDocument, removeChild } from './settingsDocument.ts';

type Wish = Required<Pick<RemovalWish, 'keeps'>> & { readonly original: string; readonly style: HookStyle };

/** The settings without our hooks and the groups and lists that they leave empty; all other bytes stay. */
export function removeHooks(text: string, { original, keeps, style }: Wish): SettingsEdit {
  const earlier = readDocument(original, style);
  const root = earlier.type === 'read' ? earlier.root : undefined;
  let left = text;
  // one at a time, since each removal moves the text after it
  for (;;) {
    const read = readDocument(left, style);
    if (read.type === 'broken') return read;
    const hook = ownedHooks(read.root).find(({ key }) => !keeps?.(key));
    if (!hook) return { type: 'edited', text: left };
    const child = highestChild(hook, root);
    left = removeChild(left, child, insideOf(containerBefore(child.parent, root), original));
  }
}

/** The entry, or the outermost container that it would leave empty and that we added. */
function highestChild({ node, group, eventMember }: OwnedHook, before: Node | undefined): Node {
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
