import type { SettingsEntry } from '../../schemas/settingsHold.ts';
import { OWNERSHIP_MARK } from '../host.ts';
import { keyOfEntry, type OwnedKeys, type SettingsEdit, type SettingsFormat } from './format.ts';

/**
 * A file that is entirely ours, in a folder of the host's: a plugin, or a file of hooks. A person's file of that name is refused.
 * `render` writes it whole, with the mark (`# stopgate`) by which it is recognized.
 */
export function ownFile(render: (entries: readonly SettingsEntry[]) => string): SettingsFormat {
  const isOurs = (text: string) => text.trim() === '' || text.includes(OWNERSHIP_MARK);
  return {
    add: (text, entries): SettingsEdit => {
      if (entries.length === 0) return { type: 'edited', text };
      return isOurs(text) ? { type: 'edited', text: render(entries) } : broken(NOT_OURS);
    },
    // of a file as we wrote it the original is restored; one that comes here with our records was edited since
    remove: (text, { recorded = [] } = {}): SettingsEdit => {
      if (text.trim() !== '' && isOurs(text) && recorded.length > 0 && text !== render(recorded)) return broken(EDITED);
      return { type: 'edited', text: isOurs(text) ? '' : text };
    },
    owned: (text, recorded = []): OwnedKeys => ({
      type: 'found',
      keys: text.trim() !== '' && isOurs(text) ? (recorded.length > 0 ? recorded.map(keyOfEntry) : ['file']) : [],
    }),
    isEmpty: (text) => text.trim() === '',
  };
}

const broken = (message: string): SettingsEdit => ({ type: 'broken', line: 1, column: 1, message });

const EDITED = 'it was changed since Stopgate wrote it; save your changes in a file of your own and delete this one';
const NOT_OURS = 'Stopgate did not write this file, and would replace it; rename yours';
