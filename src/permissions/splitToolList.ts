/** Splits the value of `--allowedTools` at commas and blanks that stand outside parentheses. */
export function splitToolList(text: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let item = '';
  for (const char of text) {
    if (char === '(') depth++;
    else if (char === ')') depth = Math.max(0, depth - 1);
    if (depth === 0 && /[\s,]/.test(char)) {
      if (item !== '') items.push(item);
      item = '';
    } else item += char;
  }
  return item.trim() === '' ? items : [...items, item.trim()];
}
