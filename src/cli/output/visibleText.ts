/**
 * Text that others wrote, safe to show: what a terminal would obey instead of print, and what hides or turns text
 * around, is written out. A hostile repository must not be able to hide a command from whoever is asked to trust it.
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
  const fits = (columns: number, from: string) => [...from].reduce((sum, one) => sum + columnsOf(one), 0) <= columns;
  if (fits(width, line)) return line;
  let kept = '';
  for (const character of line) {
    if (!fits(width - 1, kept + character)) break;
    kept += character;
  }
  return `${kept}…`;
}

/** How much room a character takes on a terminal; what may be wide counts as wide. */
export function columnsOf(character: string): number {
  if (character === '\t') return 8;
  const code = character.codePointAt(0) ?? 0;
  return code < 0x1100 || (code >= 0x2000 && code < 0x2e80) ? 1 : 2;
}
