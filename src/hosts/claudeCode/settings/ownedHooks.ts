import path from 'node:path';
import type { Node } from 'jsonc-parser';
import { OWNERSHIP_MARK } from '../../host.ts';
import { type BrokenSettings, isBlank, readDocument, withoutBom } from './settingsDocument.ts';

export type OwnedHooks =
  | { readonly type: 'found'; readonly hooks: readonly Pick<OwnedEntry, 'event' | 'command' | 'key'>[] }
  | BrokenSettings;

/** Our entries in a settings file, by their mark. */
export function ownedHooks(text: string): OwnedHooks {
  const [, body] = withoutBom(text);
  if (isBlank(body)) return { type: 'found', hooks: [] };
  const read = readDocument(body);
  if (read.type === 'broken') return read;
  return { type: 'found', hooks: ownedEntries(read.root) };
}

/** An entry of ours, wherever a person moved it. */
export interface OwnedEntry {
  readonly event: string;
  readonly command: string;
  /** Identifies the entry, whatever its path. */
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

/**
 * Stays the same when the checkout moves or is called another way: the event with the hook's name or, for a script, the
 * file's.
 */
export function entryKey(event: string, command: string): string {
  const named = / (hook [\w-]+)[^"]* # stopgate\s*$/.exec(command)?.[1];
  const first = /"((?:[^"\\]|\\.)*)"/.exec(command)?.[1];
  return `${event} ${named ?? path.posix.basename(first ?? command)}`;
}

/** Our entries, in the order of the file. Skips anything of another shape. */
export function ownedEntries(root: Node): readonly OwnedEntry[] {
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

function owned(node: Node, group: Node | undefined, eventMember: Node): OwnedEntry | undefined {
  const command: unknown = lastValue(node, 'command')?.value;
  if (!isOurCommand(command)) return undefined;
  const event = keyOf(eventMember);
  return { event, command, key: entryKey(event, command), node, group, eventMember };
}

export const membersOf = (node: Node | undefined): readonly Node[] =>
  node?.type === 'object' ? (node.children ?? []) : [];
const itemsOf = (node: Node | undefined): readonly Node[] => (node?.type === 'array' ? (node.children ?? []) : []);
export const keyOf = (member: Node): string => String(member.children?.[0]?.value);
export const memberValue = (member: Node): Node | undefined => member.children?.[1];
/** Of two members with the same name the last one counts, as in JSON. */
export const lastValue = (node: Node | undefined, key: string): Node | undefined =>
  membersOf(node).findLast((member) => keyOf(member) === key)?.children?.[1];
