/** The beginning of a text, with a line that names how much was left out and where to find it. */
export function boundedText(text: string, most: number, whereToRead: string): string {
  const whole = text.trim();
  if (whole.length <= most) return whole;
  const shown = beginning(whole, most);
  return `${shown}\n[… ${whole.length - shown.length} more characters: ${whereToRead}]`;
}

/** Untrusted text as one line. */
export function boundedLine(text: string, most: number): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length <= most ? line : `${beginning(line, most - 1)}…`;
}

/** Never splits a surrogate pair. */
const beginning = (text: string, most: number) => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
