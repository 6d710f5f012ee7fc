import { shellWords } from '../../system/shellWords.ts';

/**
 * A command's text with its arguments. `$ARGUMENTS` is all of them, `$ARGUMENTS[0]` and `$0` the first word, `$name` the
 * word that the front matter's `arguments` names. Without any of these they go at the end. Measured from Claude Code
 * 2.1.325: a place without a word stays as it is.
 */
export function fillArguments(text: string, args: string, names: readonly string[] = []): string {
  const { filled, used } = fillPlaces(text, args, names);
  return used || args === '' ? filled : withArgumentsAtEnd(filled, args);
}

const withArgumentsAtEnd = (text: string, args: string): string => `${text}\n\nARGUMENTS: ${args}`;

/** Fills the places in the text. `used`: there was one. */
function fillPlaces(text: string, args: string, names: readonly string[]): { filled: string; used: boolean } {
  const words = shellWords(args);
  let used = false;
  const filled = text.replace(/\$(?:ARGUMENTS\[(\d+)\]|(ARGUMENTS)\b|(\d+)|([A-Za-z_]\w*))/g, (written, ...found) => {
    const [indexed, all, position, name] = found as (string | undefined)[];
    const at = name === undefined ? Number(indexed ?? position) : names.indexOf(name);
    const value = all === undefined ? words[at] : args;
    if (value === undefined) return written;
    used = true;
    return value;
  });
  return { filled, used };
}

/** A piece of a command's text, or a shell command whose output replaces it. */
export type CommandPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'shell'; readonly command: string; readonly written: string };

const BLOCK = /(?<![\w`])!`([^`\n]+)`/;

/**
 * A command's text in pieces, with its arguments. Shell commands are found before arguments are filled in: an argument
 * (maybe piped data) that contains `` !`…` `` is text.
 */
export function commandParts(text: string, args: string, names: readonly string[] = []): readonly CommandPart[] {
  let used = false;
  const fill = (piece: string) => {
    const places = fillPlaces(piece, args, names);
    used ||= places.used;
    return places.filled;
  };
  // the pieces at odd places are what the pattern captured
  const parts = text.split(BLOCK).map((piece, place): CommandPart => {
    if (place % 2 === 0) return { type: 'text', text: fill(piece) };
    return { type: 'shell', command: fill(piece), written: `!\`${piece}\`` };
  });
  const last = parts.at(-1);
  if (used || args === '' || last?.type !== 'text') return parts;
  return [...parts.slice(0, -1), { type: 'text', text: withArgumentsAtEnd(last.text, args) }];
}
