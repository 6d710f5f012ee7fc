/** JSON that PostgreSQL can keep: it has no NUL in texts, and no half of a surrogate pair. */
export function requestText(request: object): string {
  const text = JSON.stringify(request);
  return /\\u(0000|d[89ab])/i.test(text) ? JSON.stringify(request, (_, value) => keepable(value)) : text;
}

function keepable(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\u{fffd}').toWellFormed() : value;
}
