const MARK = '\n[… some output is left out here …]\n';

export interface BoundedText {
  readonly text: string;
  readonly cutCharacters: number;
}

/** Keeps the first and the last half of a text, and marks the place between them. */
export function boundText(text: string, limit: number): BoundedText {
  if (text.length <= limit) return { text, cutCharacters: 0 };
  const half = Math.floor(limit / 2);
  const head = wholeCharacters(text.slice(0, limit - half));
  const tail = wholeCharacters(text.slice(text.length - half));
  return { text: head + MARK + tail, cutCharacters: text.length - head.length - tail.length };
}

/** A surrogate whose other half was cut off cannot be sent. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}

/** Bounds two texts that are shown together: the short one stays whole, two long ones get half each. */
export function boundTogether(first: string, second: string, limit: number): readonly [BoundedText, BoundedText] {
  const half = Math.floor(limit / 2);
  const firstShare = Math.max(half, limit - second.length);
  return [boundText(first, firstShare), boundText(second, limit - Math.min(first.length, firstShare))];
}
