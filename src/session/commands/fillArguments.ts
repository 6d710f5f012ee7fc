import { shellWords } from '../../system/shellWords.ts';

/**
 * A command's text with what followed its name. `$ARGUMENTS` is all of it, `$ARGUMENTS[0]` and `$0` its first word,
 * `$name` the word that the front matter's `arguments` names. Without any of these it goes at the end. As measured from
 * Claude Code 2.1.325: a place without a word stays as it is written.
 */
export function fillArguments(text: string, args: string, names: readonly string[] = []): string {
  const { filled, used } = fillPlaces(text, args, names);
  return used || args === '' ? filled : withArgumentsAtEnd(filled, args);
}

export const withArgumentsAtEnd = (text: string, args: string): string => `${text}\n\nARGUMENTS: ${args}`;

/** Only the places that the text has. `used` says whether there was one. */
export function fillPlaces(text: string, args: string, names: readonly string[]): { filled: string; used: boolean } {
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
