/** Whether an option is among the words, also as `--flag=value`. */
export const hasOption = (words: readonly string[], name: string): boolean =>
  words.some((word) => word === name || word.startsWith(`${name}=`));

/** The values of `--flag value…` and `--flag=value`; a list ends at the next flag. */
export function valuesOf(words: readonly string[], names: readonly string[]): readonly string[] {
  const values: string[] = [];
  let isInside = false;
  for (const word of words) {
    const [name = '', ...parts] = word.split('=');
    if (word.startsWith('-')) {
      isInside = names.includes(word);
      if (names.includes(name) && parts.length > 0) values.push(parts.join('='));
    } else if (isInside) values.push(word);
  }
  return values;
}
