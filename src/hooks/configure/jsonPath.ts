export type JsonPath = readonly (string | number)[];

/** As a person would write it: `hooks.Stop[0].hooks[1].timeout`. */
export function pathText(path: JsonPath): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[A-Za-z_][\w-]*$/.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}

/** The line, from 1, on which the value at a path begins; undefined when the text does not have it. */
export function lineOf(text: string, path: JsonPath): number | undefined {
  const reader = { text, at: 0 };
  for (const step of path) {
    if (!enter(reader, step)) return undefined;
  }
  skipSpace(reader);
  return reader.at < text.length ? text.slice(0, reader.at).split('\n').length : undefined;
}

/** Walks over JSON text without building values; a place that is not JSON stops it. */
interface Reader {
  readonly text: string;
  at: number;
}

function enter(reader: Reader, step: string | number): boolean {
  skipSpace(reader);
  const open = reader.text[reader.at];
  if (open !== (typeof step === 'number' ? '[' : '{')) return false;
  reader.at++;
  for (let index = 0; reader.at < reader.text.length; index++) {
    skipSpace(reader);
    if (typeof step === 'number') {
      if (index === step) return true;
    } else if (readKey(reader) === step) return true;
    skipValue(reader);
    skipSpace(reader);
    if (reader.text[reader.at] !== ',') return false;
    reader.at++;
  }
  return false;
}

function readKey(reader: Reader): string | undefined {
  const from = reader.at;
  skipString(reader);
  const key = unquote(reader.text.slice(from, reader.at));
  skipSpace(reader);
  if (reader.text[reader.at] === ':') reader.at++;
  return key;
}

function unquote(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function skipSpace(reader: Reader): void {
  while (/\s/.test(reader.text[reader.at] ?? 'x')) reader.at++;
}

function skipString(reader: Reader): void {
  if (reader.text[reader.at] !== '"') return;
  for (reader.at++; reader.at < reader.text.length; reader.at++) {
    const character = reader.text[reader.at];
    if (character === '\\') reader.at++;
    else if (character === '"') {
      reader.at++;
      return;
    }
  }
}

function skipValue(reader: Reader): void {
  skipSpace(reader);
  for (let depth = 0; reader.at < reader.text.length; ) {
    const character = reader.text[reader.at] ?? '';
    if (depth === 0 && /[,\]}]/.test(character)) return;
    if (character === '"') skipString(reader);
    else {
      if (/[[{]/.test(character)) depth++;
      if (/[\]}]/.test(character)) depth--;
      reader.at++;
    }
    if (depth === 0 && /[\]}"]/.test(character)) return;
  }
}
