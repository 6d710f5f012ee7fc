import { isDeepStrictEqual } from 'node:util';
import { getNodeValue, type Node } from 'jsonc-parser';
import type { HookEntry } from '../../schemas/settingsHold.ts';
import { definedOnly } from '../../system/definedOnly.ts';
import { keyOfEntry, type SettingsEdit } from './format.ts';
import { lastValue, type OwnedHook, ownedHooks } from './ownedHooks.ts';
import { removeHooks } from './removeHooks.ts';
import { brokenAt, type HookStyle, insertChild, readDocument, replaced } from './settingsDocument.ts';

/**
 * Adds a hook to the settings. One of ours that differs only in its path stays in its place; anything else with its key is replaced: a
 * repository can bring an entry with our mark, and a time, a matcher or a switch that keeps it from running.
 */
export function addHook(text: string, entry: HookEntry, style: HookStyle): SettingsEdit {
  const read = readDocument(text, style);
  if (read.type === 'broken') return read;
  const key = keyOfEntry(entry);
  const [there, ...others] = ownedHooks(read.root).filter((one) => one.key === key);
  if (!there) return insertEntry(text, read.root, { entry, style });
  if (others.length > 0 || !isAsWanted(there, { entry, style })) {
    const without = removeHooks(text, { original: '', keeps: (one) => one !== key, style });
    return without.type === 'broken' ? without : addHook(without.text, entry, style);
  }
  if (entry.statusMessage !== undefined && !lastValue(there.node, 'statusMessage')) {
    // written by an older Stopgate
    return addHook(insertChild(text, there.node, { key: 'statusMessage', value: entry.statusMessage }), entry, style);
  }
  return edited(withCommand(text, there.node, entry.command));
}

/** What a person may choose, and what an update changes. */
const FREE = ['command', 'statusMessage'];

function isAsWanted({ node, group }: OwnedHook, { entry, style }: NewHook): boolean {
  const plain = (value: object) => Object.fromEntries(Object.entries(value).filter(([name]) => !FREE.includes(name)));
  const [found, wanted] = [plain(getNodeValue(node)), plain(style.hook(entry))];
  const { hooks: _hooks, ...around } = group === undefined ? {} : getNodeValue(group);
  return (
    isDeepStrictEqual(found, wanted) &&
    isDeepStrictEqual(around, definedOnly({ matcher: entry.matcher })) &&
    (group !== undefined || entry.matcher === undefined)
  );
}

function withCommand(text: string, node: Node, command: string): string {
  const value = lastValue(node, 'command');
  if (!value || value.value === command) return text;
  return replaced(text, value.offset, value.length, JSON.stringify(command));
}

interface NewHook {
  readonly entry: HookEntry;
  readonly style: HookStyle;
}

/** Into the innermost existing container: the event's list, `hooks`, or the file itself. */
function insertEntry(text: string, root: Node, { entry, style }: NewHook): SettingsEdit {
  const group = definedOnly({ matcher: entry.matcher, hooks: [style.hook(entry)] });
  const hooks = lastValue(root, 'hooks');
  if (!hooks) return edited(insertChild(text, root, { key: 'hooks', value: { [entry.event]: [group] } }));
  if (hooks.type !== 'object') return brokenAt(text, ['hooks'], '`hooks` must be an object in braces');
  const list = lastValue(hooks, entry.event);
  if (!list) return edited(insertChild(text, hooks, { key: entry.event, value: [group] }));
  if (list.type !== 'array')
    return brokenAt(text, ['hooks', entry.event], `\`hooks.${entry.event}\` must be a list in brackets`);
  return edited(insertChild(text, list, { value: group }));
}

const edited = (text: string): SettingsEdit => ({ type: 'edited', text });
