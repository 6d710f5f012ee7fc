/**
 * Characters that a terminal obeys instead of printing (C0 except newline and tab, DEL, C1), and invisible ones that reverse
 * text or break lines (bidirectional controls, Unicode line separators).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are to be found
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Marks our own escapes; text from outside cannot know it. */
const OWN = String(Math.floor(Math.random() * 900_000_000) + 100_000_000);
const OWN_ESCAPE = new RegExp(`\\u001b\\[([?\\d;]*?);${OWN}([A-Za-z])`, 'g');

/** A control sequence of ours, such as `ownEscape('2', 'K')`: the only kind that reaches the terminal. */
export const ownEscape = (parameters: string, final: string): string => `\u001b[${parameters};${OWN}${final}`;

/** Moves to the start of the line and clears it. */
export const CLEAR_LINE = `${ownEscape('', 'G')}${ownEscape('2', 'K')}`;

/**
 * Text that is safe for a terminal: our own escapes work, all others are printed as `\u001b`. File names, settings,
 * commands and model output come from outside, so the writer applies this to all output. It is also JSON's own form, so a
 * line of JSON keeps its meaning.
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
