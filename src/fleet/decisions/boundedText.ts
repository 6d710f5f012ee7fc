/** The beginning of a text, with a line that says what was left out and where it is. */
export function boundedText(text: string, most: number, whereRest: string): string {
  const whole = text.trim();
  if (whole.length <= most) return whole;
  const shown = beginning(whole, most);
  return `${shown}\n[… ${whole.length - shown.length} more characters: ${whereRest}]`;
}

/** One line of somebody else's text. */
export function boundedLine(text: string, most: number): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length <= most ? line : `${beginning(line, most - 1)}…`;
}

/** Never half of a character that takes two. */
const beginning = (text: string, most: number) => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
