const REDACTED = '[redacted]';

/** Redacts values in text that arrives in pieces: a possible start of a value is held back until it is certain. */
export function redactedStream(secrets: readonly string[]) {
  let held = '';
  const redact = (text: string) => secrets.reduce((clean, secret) => clean.replaceAll(secret, REDACTED), text);
  return {
    /** Returns the text that may be shown so far. */
    push(chunk: string): string {
      const text = redact(held + chunk);
      const keep = Math.max(0, ...secrets.map((secret) => beginningAtEnd(text, secret)));
      held = text.slice(text.length - keep);
      return text.slice(0, text.length - keep);
    },
    /** The text that was held back. */
    end: () => held,
  };
}

/** How many of the last characters of a text are a proper prefix of another. */
function beginningAtEnd(text: string, other: string): number {
  for (let length = Math.min(other.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(other.slice(0, length))) return length;
  }
  return 0;
}
