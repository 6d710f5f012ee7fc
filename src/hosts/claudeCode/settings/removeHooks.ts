import type { Node } from 'jsonc-parser';
import { keyOf, lastValue, membersOf, memberValue, type OwnedEntry, ownedEntries } from './ownedHooks.ts';
import { endOf, isBlank, readDocument, removeChild, type SettingsEdit, withoutBom } from './settingsDocument.ts';

export interface RemovalWish {
  /** The file as it was before we came: what was there then stays, even if it is empty now. */
  readonly original?: string | undefined;
  /** Entries of ours that stay. */
  readonly keeps?: ((key: string) => boolean) | undefined;
}

/** The settings without our entries, and without the groups and lists that held nothing else; all other bytes stay. */
export function removeHooks(text: string, { original = '', keeps = () => false }: RemovalWish = {}): SettingsEdit {
  const [bom, body] = withoutBom(text);
  if (isBlank(body)) return { type: 'edited', text };
  const [, before] = withoutBom(original);
  const earlier = readDocument(before);
  const root = earlier.type === 'read' ? earlier.document.root : undefined;
  let left = body;
  // one at a time, since each removal moves what follows it
  for (;;) {
    const read = readDocument(left);
    if (read.type === 'broken') return read;
    const entry = ownedEntries(read.document).find(({ key }) => !keeps(key));
    if (!entry) return { type: 'edited', text: bom + left };
    const child = highestChild(entry, root);
    left = removeChild(left, child, insideOf(containerBefore(child.parent, root), before));
  }
}

/** The entry, or what around it would be left with nothing in it and was not there before us. */
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

/** The container at the same place of the file as it was: the root, `hooks` or an event's list. */
function containerBefore(container: Node | undefined, before: Node | undefined): Node | undefined {
  if (!container?.parent) return container && before;
  // inside a list places mean nothing: anything may have moved
  if (container.parent.type !== 'property') return undefined;
  const value = lastValue(containerBefore(container.parent.parent, before), keyOf(container.parent));
  return value?.type === container.type ? value : undefined;
}

/** The blanks inside a container that was empty before us. */
function insideOf(container: Node | undefined, text: string): string {
  if (!container || (container.children?.length ?? 0) > 0) return '';
  return text.slice(container.offset + 1, endOf(container) - 1);
}
