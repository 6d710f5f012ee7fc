import { type TextFile, withLineEndsOf } from './textFile.ts';

export interface Replacement {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}

export type ReplacedText =
  | { readonly type: 'replaced'; readonly text: string; readonly count: number }
  | { readonly type: 'notFound' }
  | { readonly type: 'ambiguous'; readonly count: number };

/**
 * Replaces an exact text. Models write `\n`: in a file whose every line ends in CRLF both texts are taken as CRLF,
 * in one with mixed line ends CRLF is the second try. Lines that are not part of the match stay as they are.
 */
export function replaceText({ text, shape }: TextFile, replacement: Replacement): ReplacedText {
  const asWritten = { from: replacement.oldString, to: replacement.newString };
  const withCrlf = { from: crlf(replacement.oldString), to: crlf(replacement.newString) };
  const tries = shape.usesCrlf ? [withCrlf, asWritten] : [asWritten, withCrlf];
  for (const { from, to } of tries) {
    const parts = text.split(from);
    const count = parts.length - 1;
    if (count === 0) continue;
    if (count > 1 && !replacement.replaceAll) return { type: 'ambiguous', count };
    return { type: 'replaced', text: parts.join(to), count };
  }
  return { type: 'notFound' };
}

const crlf = (text: string) => withLineEndsOf({ encoding: 'utf8', hasByteOrderMark: false, usesCrlf: true }, text);
