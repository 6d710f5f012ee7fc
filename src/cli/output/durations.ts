/** A length of time as people write it: `850ms`, `3.2s`, `3m12s`, `1h04m`. */
export function durationInWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)}m${pad(whole % 60)}s`;
  const minutes = Math.floor(whole / 60);
  return `${Math.floor(minutes / 60)}h${pad(minutes % 60)}m`;
}

const pad = (n: number) => String(n).padStart(2, '0');

/** `812`, `12.4k`, `1.2m` tokens. */
export function tokensInWords(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 1_000_000) return `${(tokens / 1000).toFixed(1)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}m`;
}
