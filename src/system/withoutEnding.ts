/**
 * A text without the characters at its end that are among these. A regular expression (`[.,]+$`) tries again at every
 * character of a long run and takes quadratic time.
 */
export function withoutEnding(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
