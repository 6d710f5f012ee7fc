import type { SettingsEntry } from '../../schemas/settingsHold.ts';
import { addHook } from './addHooks.ts';
import {
  isHook,
  isSetting,
  keyOfEntry,
  type OwnedKeys,
  type RemovalWish,
  type SettingsEdit,
  type SettingsFormat,
} from './format.ts';
import { addSetting, removeSetting, settingValue } from './jsonSettings.ts';
import { ownedHooks } from './ownedHooks.ts';
import { removeHooks } from './removeHooks.ts';
import { type HookStyle, isBlank, readDocument, withoutBom } from './settingsDocument.ts';

/** A settings file in JSON with hooks as Claude Code has them: by event, in groups with a matcher. */
export function jsonHooks(style: HookStyle): SettingsFormat {
  return {
    add: (text, entries) => (entries.length === 0 ? { type: 'edited', text } : add(text, entries, style)),
    remove: (text, wish = {}) => remove(text, wish, style),
    owned: (text, recorded = []) => owned(text, recorded, style),
    isEmpty: (text) => /^\ufeff?\s*\{\s*\}\s*$/.test(text),
  };
}

function add(text: string, entries: readonly SettingsEntry[], style: HookStyle): SettingsEdit {
  const [bom, body] = withoutBom(text);
  let edit: SettingsEdit = { type: 'edited', text: isBlank(body) ? '{}\n' : body };
  for (const entry of entries) {
    if (isHook(entry)) edit = addHook(edit.text, entry, style);
    else if (isSetting(entry)) edit = addSetting(edit.text, entry, style);
    if (edit.type === 'broken') return edit;
  }
  return { type: 'edited', text: bom + edit.text };
}

function remove(text: string, { original = '', keeps = () => false, recorded = [] }: RemovalWish, style: HookStyle) {
  const [bom, body] = withoutBom(text);
  if (isBlank(body)) return { type: 'edited' as const, text };
  const [, before] = withoutBom(original);
  let edit: SettingsEdit = { type: 'edited', text: body };
  for (const entry of recorded.filter(isSetting)) {
    if (!keeps(keyOfEntry(entry))) edit = removeSetting(edit.text, entry, { original: before, style });
    if (edit.type === 'broken') return edit;
  }
  edit = removeHooks(edit.text, { original: before, keeps, style });
  return edit.type === 'broken' ? edit : { type: 'edited' as const, text: bom + edit.text };
}

function owned(text: string, recorded: readonly SettingsEntry[], style: HookStyle): OwnedKeys {
  const [, body] = withoutBom(text);
  if (isBlank(body)) return { type: 'found', keys: [] };
  const read = readDocument(body, style);
  if (read.type === 'broken') return read;
  const settings = recorded
    .filter(isSetting)
    .filter(({ path, value }) => JSON.stringify(settingValue(read.root, path)) === JSON.stringify(value));
  return { type: 'found', keys: [...ownedHooks(read.root).map(({ key }) => key), ...settings.map(keyOfEntry)] };
}
