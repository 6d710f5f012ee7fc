import stringWidth from 'fast-string-width';

/**
 * Makes control, invisible and bidirectional characters visible: a hostile repository must not be able to hide a command
 * from the user who decides on trust.
 */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}

/** The same on one line, cut with `…` to the width. */
export function oneLine(text: string, width = Number.POSITIVE_INFINITY): string {
  const line = visibleText(text.trim()).replaceAll(/\s*\n\s*/g, ' ⏎ ');
  if (columnsOf(line) <= width) return line;
  let kept = '';
  for (const character of line) {
    if (columnsOf(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** The width of a text on a terminal; a tab counts as eight columns. (`string-width` takes 9 ms to load.) */
export const columnsOf = (text: string): number => stringWidth(text, { tabWidth: 8 });
