/** Options of an agent's command line, as far as they matter for finding its prompt. */
export interface PromptOptions {
  /** Those that take a prompt. */
  readonly prompt: readonly string[];
  /** Those that choose a session, with a value. */
  readonly session: readonly string[];
  /** Those without a value: a word after one of them is a prompt. */
  readonly plain: readonly string[];
}

/** A first word that is not an option is a prompt, for which a headless run needs an option. */
export function asPrompt(words: readonly string[], { prompt }: PromptOptions): readonly string[] {
  const [first] = words;
  if (first === undefined || first.startsWith('-') || prompt.length === 0) return words;
  return words.some((word) => prompt.includes(word)) ? words : [prompt[0] ?? '', ...words];
}

/** The words without their prompt and without the session that they continue. */
export function withoutPrompt(words: readonly string[], options: PromptOptions): readonly string[] {
  const { prompt, session, plain } = options;
  const valued = [...prompt, ...session];
  const isNamed = (word: string) => valued.some((name) => word === name || word.startsWith(`${name}=`));
  return words.filter((word, at) => {
    const before = words[at - 1];
    if (word.startsWith('-')) return !isNamed(word) && word !== '--continue' && word !== '-c';
    if (before === undefined || plain.includes(before) || before.includes('=')) return false;
    return before.startsWith('-') && !valued.includes(before);
  });
}

/** The last value of an option, and the words without it. */
export function takeOption(
  words: readonly string[],
  names: readonly string[],
): { readonly value: string | undefined; readonly others: readonly string[] } {
  let value: string | undefined;
  const others: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const named = names.find((name) => word.startsWith(`${name}=`));
    if (named !== undefined) value = word.slice(named.length + 1);
    else if (names.includes(word)) value = words[++at] ?? '';
    else others.push(word);
  }
  return { value, others };
}
