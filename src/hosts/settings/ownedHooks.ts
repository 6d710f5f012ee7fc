import type { Node } from 'jsonc-parser';
import { OWNERSHIP_MARK } from '../host.ts';
import { hookKey } from './format.ts';

/** A hook of ours, wherever a person moved it. */
export interface OwnedHook {
  readonly command: string;
  readonly key: string;
  readonly node: Node;
  /** Undefined for an entry that is directly in the event's list. */
  readonly group: Node | undefined;
  /** The member of `hooks` that is named after the event. */
  readonly eventMember: Node;
}

function isOurCommand(command: unknown): command is string {
  return typeof command === 'string' && command.trimEnd().endsWith(` ${OWNERSHIP_MARK}`);
}

/** Our hooks by their mark, in the order of the file. Skips anything of another shape. */
export function ownedHooks(root: Node): readonly OwnedHook[] {
  const events = membersOf(root).flatMap((hooks) => (keyOf(hooks) === 'hooks' ? membersOf(memberValue(hooks)) : []));
  return events.flatMap((eventMember) =>
    itemsOf(memberValue(eventMember)).flatMap((item) => {
      const alone = owned(item, undefined, eventMember);
      if (alone) return [alone];
      const inner = membersOf(item).filter((member) => keyOf(member) === 'hooks');
      return inner.flatMap((hooks) =>
        itemsOf(memberValue(hooks)).flatMap((node) => owned(node, item, eventMember) ?? []),
      );
    }),
  );
}

function owned(node: Node, group: Node | undefined, eventMember: Node): OwnedHook | undefined {
  const command: unknown = lastValue(node, 'command')?.value;
  if (!isOurCommand(command)) return undefined;
  return { command, key: hookKey(keyOf(eventMember), command), node, group, eventMember };
}

export const membersOf = (node: Node | undefined): readonly Node[] =>
  node?.type === 'object' ? (node.children ?? []) : [];
const itemsOf = (node: Node | undefined): readonly Node[] => (node?.type === 'array' ? (node.children ?? []) : []);
export const keyOf = (member: Node): string => String(member.children?.[0]?.value);
export const memberValue = (member: Node): Node | undefined => member.children?.[1];
/** Of two members with the same name the last one counts, as in JSON. */
export const lastValue = (node: Node | undefined, key: string): Node | undefined =>
  membersOf(node).findLast((member) => keyOf(member) === key)?.children?.[1];
