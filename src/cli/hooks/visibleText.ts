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
  const characters = [...line];
  return characters.length <= width ? line : `${characters.slice(0, Math.max(1, width - 1)).join('')}…`;
}
