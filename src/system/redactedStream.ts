const REDACTED = '[redacted]';

export interface RedactedStream {
  /** What may be shown by now. */
  push(chunk: string): string;
  /** What was held back, at the end. */
  end(): string;
}

/** A text that comes in pieces, without the given values: what could be the beginning of one is held back until it is known. */
export function redactedStream(secrets: readonly string[]): RedactedStream {
  let held = '';
  const redact = (text: string) => secrets.reduce((clean, secret) => clean.replaceAll(secret, REDACTED), text);
  return {
    push(chunk) {
      const text = redact(held + chunk);
      const keep = Math.max(0, ...secrets.map((secret) => beginningAtEnd(text, secret)));
      held = text.slice(text.length - keep);
      return text.slice(0, text.length - keep);
    },
    end() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}

/** How many of the last characters of a text are the first ones of another, but not all of it. */
function beginningAtEnd(text: string, other: string): number {
  for (let length = Math.min(other.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(other.slice(0, length))) return length;
  }
  return 0;
}
