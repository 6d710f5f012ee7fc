/** Words as a shell would split them, with quotes; a quote that is never closed ends with the text. */
export function splitWords(text: string): string[] {
  const words = text.match(/(?:"[^"]*"?|'[^']*'?|[^\s"'])+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"?|'([^']*)'?/g, (_, double, single) => double ?? single ?? ''));
}
