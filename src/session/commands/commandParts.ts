import { fillPlaces, withArgumentsAtEnd } from './fillArguments.ts';

/** A piece of a command's text: words, or a shell command whose output takes its place. */
export type CommandPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'shell'; readonly command: string; readonly written: string };

const BLOCK = /(?<![\w`])!`([^`\n]+)`/g;

/**
 * A command's text in pieces, its arguments filled in. Which pieces run is read from the file alone, before anything is
 * filled in: an argument (it may be piped data) that holds `` !`…` `` is text, and never a command of its own.
 */
export function commandParts(text: string, args: string, names: readonly string[] = []): readonly CommandPart[] {
  let used = false;
  const fill = (piece: string) => {
    const places = fillPlaces(piece, args, names);
    used ||= places.used;
    return places.filled;
  };
  const parts: CommandPart[] = [];
  let from = 0;
  for (const match of text.matchAll(BLOCK)) {
    parts.push({ type: 'text', text: fill(text.slice(from, match.index)) });
    parts.push({ type: 'shell', command: fill(match[1] ?? ''), written: match[0] });
    from = match.index + match[0].length;
  }
  const last = fill(text.slice(from));
  parts.push({ type: 'text', text: used || args === '' ? last : withArgumentsAtEnd(last, args) });
  return parts;
}
