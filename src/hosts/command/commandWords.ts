/** The words of a command line, with quotes; no variables, no pipes, no shell. */
export function commandWords(line: string): readonly string[] {
  const words = line.match(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(
      /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g,
      (_all, double?: string, single?: string, escaped?: string) =>
        double !== undefined ? double.replaceAll(/\\(["\\$`])/g, '$1') : (single ?? escaped ?? ''),
    ),
  );
}
