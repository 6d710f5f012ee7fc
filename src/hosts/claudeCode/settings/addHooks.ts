import type { Node } from 'jsonc-parser';
import type { HookEntry } from '../../../schemas/settingsHold.ts';
import { definedOnly } from '../../../system/definedOnly.ts';
import { entryKey, lastValue, ownedEntries } from './ownedHooks.ts';
import {
  brokenAt,
  insertChild,
  isBlank,
  readDocument,
  replaced,
  type SettingsEdit,
  withoutBom,
} from './settingsDocument.ts';

/**
 * Adds these entries to the settings. An existing entry stays in its place, with the new command if its path differs; the
 * others are appended.
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
  const key = entryKey(entry.event, entry.command);
  const there = ownedEntries(read.root).find((one) => one.key === key);
  if (!there) return insertEntry(text, read.root, entry);
  if (entry.statusMessage !== undefined && !lastValue(there.node, 'statusMessage')) {
    // written by an older Stopgate
    return addOne(insertChild(text, there.node, { key: 'statusMessage', value: entry.statusMessage }), entry);
  }
  return { type: 'edited', text: withCommand(text, there.node, entry.command) };
}

function withCommand(text: string, node: Node, command: string): string {
  const value = lastValue(node, 'command');
  if (!value || value.value === command) return text;
  return replaced(text, value.offset, value.length, JSON.stringify(command));
}

/** Into the innermost existing container: the event's list, `hooks`, or the file itself. */
function insertEntry(text: string, root: Node, entry: HookEntry): SettingsEdit {
  const group = groupOf(entry);
  const hooks = lastValue(root, 'hooks');
  if (!hooks) return edited(insertChild(text, root, { key: 'hooks', value: { [entry.event]: [group] } }));
  if (hooks.type !== 'object') return brokenAt(text, ['hooks'], '`hooks` must be an object in braces');
  const list = lastValue(hooks, entry.event);
  if (!list) return edited(insertChild(text, hooks, { key: entry.event, value: [group] }));
  if (list.type !== 'array')
    return brokenAt(text, ['hooks', entry.event], `\`hooks.${entry.event}\` must be a list in brackets`);
  return edited(insertChild(text, list, { value: group }));
}

function groupOf({ matcher, command, timeout, statusMessage }: HookEntry) {
  return definedOnly({ matcher, hooks: [definedOnly({ type: 'command', command, timeout, statusMessage })] });
}

const edited = (text: string): SettingsEdit => ({ type: 'edited', text });
