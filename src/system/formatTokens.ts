/** `812`, `2k`, `12.4k`, `1.2m` tokens. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  const [amount, unit] = tokens < 1_000_000 ? [tokens / 1000, 'k'] : [tokens / 1_000_000, 'm'];
  return `${amount.toFixed(1).replace(/\.0$/, '')}${unit}`;
}
