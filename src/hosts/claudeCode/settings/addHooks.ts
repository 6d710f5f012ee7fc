import type { Node } from 'jsonc-parser';
import type { HookEntry } from '../entries.ts';
import { insertChild } from './insertChild.ts';
import { entryKey, lastMember, memberValue, ownedEntries } from './ownedEntries.ts';
import { brokenAt, readDocument, type SettingsDocument } from './settingsDocument.ts';
import { isBlank, type SettingsEdit, withoutBom } from './settingsText.ts';

/**
 * The settings with these entries in them. One that is there stays where and as it is; one that is there with another
 * path gets the new command in its place; the others are added behind what the file has.
 */
export function addHooks(text: string, entries: readonly HookEntry[]): SettingsEdit {
  const [bom, body] = withoutBom(text);
  if (entries.length === 0) return { type: 'edited', text };
  let edit: SettingsEdit = { type: 'edited', text: isBlank(body) ? '{}\n' : body };
  for (const entry of entries) {
    edit = addOne(edit.text, entry);
    if (edit.type === 'broken') return edit;
  }
  return { type: 'edited', text: bom + edit.text };
}

function addOne(text: string, entry: HookEntry): SettingsEdit {
  const read = readDocument(text);
  if (read.type === 'broken') return read;
  const { document } = read;
  const key = entryKey(entry.event, entry.command);
  const there = ownedEntries(document).find((one) => one.key === key);
  if (!there) return insertEntry(document, entry);
  if (entry.statusMessage !== undefined && !lastMember(there.node, 'statusMessage')) {
    // written by an older Stopgate
    return addOne(insertChild(document, there.node, { key: 'statusMessage', value: entry.statusMessage }), entry);
  }
  return { type: 'edited', text: withCommand(text, there.node, entry.command) };
}

function withCommand(text: string, node: Node, command: string): string {
  const member = lastMember(node, 'command');
  const value = member && memberValue(member);
  if (!value || value.value === command) return text;
  return `${text.slice(0, value.offset)}${JSON.stringify(command)}${text.slice(value.offset + value.length)}`;
}

/** Into the deepest container that is there: the event's list, else `hooks`, else the file itself. */
function insertEntry(document: SettingsDocument, entry: HookEntry): SettingsEdit {
  const { text, root } = document;
  const group = groupOf(entry);
  const hooks = containerOf(root, 'hooks');
  if (!hooks) return edited(insertChild(document, root, { key: 'hooks', value: { [entry.event]: [group] } }));
  if (hooks.type !== 'object') return brokenAt(text, hooks.offset, '`hooks` must be an object in braces');
  const list = containerOf(hooks, entry.event);
  if (!list) return edited(insertChild(document, hooks, { key: entry.event, value: [group] }));
  if (list.type !== 'array') return brokenAt(text, list.offset, `\`hooks.${entry.event}\` must be a list in brackets`);
  return edited(insertChild(document, list, { value: group }));
}

function containerOf(node: Node, key: string): Node | undefined {
  const member = lastMember(node, key);
  return member && memberValue(member);
}

function groupOf({ matcher, command, timeout, statusMessage }: HookEntry) {
  const shown = statusMessage === undefined ? {} : { statusMessage };
  return { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', command, timeout, ...shown }] };
}

const edited = (text: string): SettingsEdit => ({ type: 'edited', text });
