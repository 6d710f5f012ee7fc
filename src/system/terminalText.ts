/**
 * What a terminal obeys instead of printing (C0 but newline and tab, DEL, C1), and what turns text around or breaks lines
 * unseen (bidirectional controls, Unicode line separators).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Told apart from escapes in text that others wrote, which cannot know it. */
const OWN = String(Math.floor(Math.random() * 900_000_000) + 100_000_000);
const OWN_ESCAPE = new RegExp(`\\u001b\\[([?\\d;]*?);${OWN}([A-Za-z])`, 'g');

/** A control sequence of ours, such as `ownEscape('2', 'K')`: the only kind that reaches the terminal. */
export const ownEscape = (parameters: string, final: string): string => `\u001b[${parameters};${OWN}${final}`;

/** Goes to the start of the line and clears it. */
export const CLEAR_LINE = `${ownEscape('', 'G')}${ownEscape('2', 'K')}`;

/**
 * Text as it may be written to a terminal: our own escapes work, all others are written out as `\u001b`. Names of files and
 * branches, settings, commands and what a model says all come from outside, so this is applied to everything that is
 * printed, in the writer. The form is also JSON's own, so a line of JSON still says the same.
 */
export function terminalText(text: string): string {
  if (text.search(OBEYED) < 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(OWN_ESCAPE)) {
    parts.push(written(text.slice(from, match.index)), `\u001b[${match[1]}${match[2]}`);
    from = match.index + match[0].length;
  }
  parts.push(written(text.slice(from)));
  return parts.join('');
}

const written = (text: string) =>
  text
    .replaceAll('\r\n', '\n')
    .replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
