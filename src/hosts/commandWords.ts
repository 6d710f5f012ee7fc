/** How an agent's command line is read: which options take the next word. */
interface WordTable {
  /** Options whose value is the next word. */
  readonly valued: ReadonlySet<string>;
  /** Options whose values are all words up to the next option. */
  readonly listed?: ReadonlySet<string>;
}

export interface ReadWords {
  /** With their values, in order. */
  readonly options: readonly string[];
  /** The words that are no option and no value of one. */
  readonly others: readonly string[];
}

/** The options that a continued session keeps: all but those of a session's beginning, with their values. */
export function keptOptions(words: readonly string[], table: WordTable, begins: RegExp): readonly string[] {
  let isKept = true;
  return readWords(words, table).options.filter((word, at, options) => {
    const isValue = table.valued.has(options[at - 1] ?? '');
    if (word.startsWith('-') && !isValue) isKept = !begins.test(word);
    return isKept;
  });
}

/** Splits words into options and others; after `--` all are others. */
export function readWords(words: readonly string[], { valued, listed }: WordTable): ReadWords {
  const options: string[] = [];
  const others: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return { options, others: [...others, ...words.slice(at + 1)] };
    if (!word.startsWith('-') || word === '-') others.push(word);
    else {
      options.push(word);
      const next = words.slice(at + 1);
      const end = listed?.has(word) ? next.findIndex((one) => one.startsWith('-')) : valued.has(word) ? 1 : 0;
      const values = end === -1 ? next : next.slice(0, end);
      options.push(...values);
      at += values.length;
    }
  }
  return { options, others };
}
