/**
 * Characters that a terminal obeys instead of printing (C0 except newline and tab, DEL, C1), and invisible ones that reverse
 * text or break lines (bidirectional controls, Unicode line separators).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are to be found
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

/** Marks our own escapes; text from outside cannot know it. */
const OWN = String(Math.floor(Math.random() * 900_000_000) + 100_000_000);
const ESCAPED = new RegExp(`\\u001b\\[([?\\d;]*?);${OWN}([A-Za-z])|\\r\\n|${OBEYED.source}`, 'g');

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
  return text.replace(ESCAPED, (found, parameters?: string, final?: string) => {
    if (final !== undefined) return `\u001b[${parameters}${final}`;
    return found === '\r\n' ? '\n' : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
