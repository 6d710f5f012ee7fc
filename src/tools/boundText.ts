const MARK = '\n[… some output was left out …]\n';

/** Keeps the beginning and the end of a long text, with a mark between them. */
export function boundText(text: string, limit: number) {
  if (text.length <= limit) return { text, cutCharacters: 0 };
  const half = Math.floor(limit / 2);
  const head = wholeCharacters(text.slice(0, limit - half));
  const tail = wholeCharacters(text.slice(text.length - half));
  return { text: head + MARK + tail, cutCharacters: text.length - head.length - tail.length };
}

/** Half of a surrogate pair cannot be sent. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}

/** Limits two texts that are shown together: a short one stays complete, two long ones get half each. */
export function boundTogether(first: string, second: string, limit: number) {
  const half = Math.floor(limit / 2);
  const firstShare = Math.max(half, limit - second.length);
  return [boundText(first, firstShare), boundText(second, limit - Math.min(first.length, firstShare))] as const;
}
