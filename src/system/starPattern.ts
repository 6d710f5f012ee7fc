/** A text in which each `*` stands for any characters. */
export function starPattern(text: string): RegExp {
  const parts = text.split(/\*+/).map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
