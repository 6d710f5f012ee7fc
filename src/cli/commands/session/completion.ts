import { type AutocompleteProvider, fuzzyFilter } from '@earendil-works/pi-tui';
import { oneLine } from '../../output/visibleText.ts';

const MOST_SHOWN = 20;

/** What can be completed. */
export interface Completions {
  /** Names with their slash. */
  readonly commands: () => readonly { readonly name: string; readonly about?: string }[];
  /** Paths below the project. */
  readonly files: () => Promise<readonly string[]>;
}

function oneFile(file: string) {
  const name = oneLine(file);
  return { value: `@${name}`, label: name };
}

/** Slash commands at the start of the input, and files after an `@`. */
export function completion({ commands, files }: Completions): AutocompleteProvider {
  return {
    triggerCharacters: ['@', '/'],
    getSuggestions: async (lines, row, col) => {
      const before = (lines[row] ?? '').slice(0, col);
      const slash = row === 0 ? /^\/[\w:-]*$/.exec(before)?.[0] : undefined;
      if (slash !== undefined) {
        const found = commands().filter(({ name }) => name.startsWith(slash));
        const items = found.map(({ name, about = '' }) => ({
          value: name,
          label: oneLine(name),
          description: oneLine(about),
        }));
        return items.length === 0 ? null : { items, prefix: slash };
      }
      const at = /(?:^|\s)(@[^\s@]*)$/.exec(before)?.[1];
      if (at === undefined) return null;
      const found = fuzzyFilter([...(await files())], at.slice(1), (file) => file).slice(0, MOST_SHOWN);
      if (found.length === 0) return null;
      // the editor draws what it is given, and any program may have named these files
      return { items: found.map(oneFile), prefix: at };
    },
    applyCompletion: (lines, row, col, { value }, prefix) => {
      const line = lines[row] ?? '';
      const start = `${line.slice(0, col - prefix.length)}${value.includes(' ') ? `@"${value.slice(1)}"` : value} `;
      const changed = lines.map((one, at) => (at === row ? `${start}${line.slice(col)}` : one));
      return { lines: changed, cursorLine: row, cursorCol: start.length };
    },
  };
}
