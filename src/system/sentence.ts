/** A text on one line, cut to a length. */
export function oneLine(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > max ? `${beginning(line, max - 1)}…` : line;
}

/** Never splits a surrogate pair. */
export const beginning = (text: string, most: number): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');

/** A clause as a sentence: with a capital and a period. Paths and names at the start stay as they are. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  const capital = /^[a-z]+[\s,]/.test(trimmed) ? trimmed.charAt(0).toUpperCase() + trimmed.slice(1) : trimmed;
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`;
}
