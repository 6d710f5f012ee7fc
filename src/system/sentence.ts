/** A clause as a sentence: with a capital and a period. Paths and names at the start stay as they are. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  const capital = /^[a-z]+[\s,]/.test(trimmed) ? trimmed.charAt(0).toUpperCase() + trimmed.slice(1) : trimmed;
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`;
}
