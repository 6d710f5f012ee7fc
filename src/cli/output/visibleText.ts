import stringWidth from 'fast-string-width';

/**
 * Text that others wrote, safe to show: what a terminal would obey instead of print, and what hides or turns text
 * around, is written out. A hostile repository must not be able to hide a command from the person who decides on trust.
 */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}

/** The same on one line, cut with `…` where it is wider. */
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

/** How much room a text takes on a terminal; a tab takes at most eight columns. (`string-width` takes 9 ms to load.) */
export const columnsOf = (text: string): number => stringWidth(text, { tabWidth: 8 });
