/**
 * Removes these characters from the end of a text. A regular expression (`[.,]+$`) takes quadratic time for a long run of
 * them.
 */
export function withoutEnding(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
