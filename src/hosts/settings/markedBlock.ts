import type { SettingsEntry } from '../../schemas/settingsHold.ts';
import { isText, keyOfEntry, type OwnedKeys, type SettingsFormat } from './format.ts';

const BEGIN = '# stopgate begin';
const END = '# stopgate end';
/** With the line end before it, which we added. */
const BLOCK = /(?:^|\n)# stopgate begin [^\n]+\n(?:(?!# stopgate begin )[^\n]*\n)*?# stopgate end[^\n]*(?:\n|$)/g;
const KEY_LINE = /^# stopgate begin (.*)$/gm;

/** Lines of ours at the end of a text file with `#` comments, such as TOML: one marked block per entry. */
export const markedBlock: SettingsFormat = {
  add: (text, entries) => {
    const blocks = entries.filter(isText).map(({ key, text: body }) => `${BEGIN} ${key}\n${body.trimEnd()}\n${END}\n`);
    const without = removeBlocks(text, () => false);
    // the block begins with a line end of its own, so that removing it restores every byte
    return {
      type: 'edited',
      text: blocks.length === 0 ? text : `${without}${blocks.map((one) => `\n${one}`).join('')}`,
    };
  },
  remove: (text, { keeps = () => false } = {}) => ({ type: 'edited', text: removeBlocks(text, keeps) }),
  owned: (text, recorded: readonly SettingsEntry[] = []): OwnedKeys => {
    const found = [...text.matchAll(KEY_LINE)].map(([, key = '']) => key);
    // an entry with another text was edited by hand or by the host, and is still ours
    return {
      type: 'found',
      keys: [...new Set([...found, ...recorded.map(keyOfEntry).filter((key) => found.includes(key))])],
    };
  },
  isEmpty: (text) => text.trim() === '',
};

function removeBlocks(text: string, keeps: (key: string) => boolean): string {
  return text.replaceAll(BLOCK, (block) => {
    const key = /# stopgate begin ([^\n]*)/.exec(block)?.[1] ?? '';
    return keeps(key) ? block : '';
  });
}
