/** A place in a JSON document, from its root: `['permissions', 'allow', 2]`. */
export type JsonPath = readonly (string | number)[];

export interface JsonPlace {
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

export type JsonText =
  | { readonly type: 'parsed'; readonly value: unknown }
  | ({ readonly type: 'broken'; readonly message: string } & JsonPlace);

interface Scan {
  readonly text: string;
  at: number;
  readonly visit: (path: JsonPath, offset: number) => void;
  readonly path: (string | number)[];
}

class Broken {
  readonly message: string;
  readonly offset: number;
  constructor(message: string, offset: number) {
    this.message = message;
    this.offset = offset;
  }
}

/** Deeper than any settings file, shallower than any call stack. */
const MAX_DEPTH = 200;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON forbids in a string
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

/** Reads plain JSON; a fault is told with its line and column, and in the words of what people really get wrong. */
export function parseJson(text: string): JsonText {
  const body = withoutBom(text);
  const broken = scan(body, () => {});
  if (broken) return { type: 'broken', message: broken.message, ...placeFrom(lineStarts(body), broken.offset) };
  return { type: 'parsed', value: JSON.parse(body) };
}

/** Where the value at a path starts; a path may be written `permissions.allow[2]`. Duplicate keys: the last one. */
export function locateJsonPath(text: string, path: JsonPath | string): JsonPlace | undefined {
  const places = placesIn(text);
  const wanted = typeof path === 'string' ? parseJsonPath(path) : path;
  const found = wanted.reduce<PlaceNode | undefined>((node, step) => node?.inside.get(step), places.root);
  return found && places.placeAt(found.offset);
}

/** A value's start, and those of the values in it. */
interface PlaceNode {
  readonly offset: number;
  readonly inside: Map<string | number, PlaceNode>;
}

interface Places {
  readonly text: string;
  readonly root: PlaceNode | undefined;
  placeAt(offset: number): JsonPlace;
}

/**
 * The places of the last texts that were asked about. A file with many faults is asked about once for each of them: reading
 * it anew every time made 95 KB take minutes.
 */
const REMEMBERED = 4;
const remembered: Places[] = [];

function placesIn(text: string): Places {
  const known = remembered.find((places) => places.text === text);
  if (known) return known;
  const body = withoutBom(text);
  const above: PlaceNode[] = [];
  scan(body, (path, offset) => {
    const node: PlaceNode = { offset, inside: new Map() };
    above[path.length] = node;
    const last = path.at(-1);
    if (last !== undefined) above[path.length - 1]?.inside.set(last, node);
  });
  const lines = lineStarts(body);
  const places = { text, root: above[0], placeAt: (offset: number) => placeFrom(lines, offset) };
  remembered.unshift(places);
  remembered.length = Math.min(remembered.length, REMEMBERED);
  return places;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function placeFrom(starts: readonly number[], offset: number): JsonPlace {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

/** A longer key would fill the screen. */
const LONGEST_SHOWN = 200;

/** `permissions.allow[2]`; a key that is not a plain word is quoted, so nothing in it reaches a terminal raw. */
export function formatJsonPath(path: JsonPath): string {
  return path.reduce<string>((text, segment) => {
    if (typeof segment === 'number') return `${text}[${segment}]`;
    if (segment.length > LONGEST_SHOWN) return `${text}[${JSON.stringify(`${segment.slice(0, LONGEST_SHOWN)}…`)}]`;
    if (!/^[\w$-]+$/.test(segment)) return `${text}[${JSON.stringify(segment)}]`;
    return text === '' ? segment : `${text}.${segment}`;
  }, '');
}

export function parseJsonPath(text: string): JsonPath {
  return Array.from(text.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g), ([, index, quoted, word]) => {
    if (index !== undefined) return Number(index);
    return quoted === undefined ? (word ?? '') : String(JSON.parse(quoted));
  });
}

function withoutBom(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function scan(text: string, visit: Scan['visit']): Broken | undefined {
  const state: Scan = { text, at: 0, visit, path: [] };
  try {
    readValue(state);
    skipBlank(state);
    if (state.at < text.length) throw new Broken('there is more after the end of the JSON value', state.at);
    return undefined;
  } catch (error) {
    if (error instanceof Broken) return error;
    throw error;
  }
}

function readValue(state: Scan): void {
  skipBlank(state);
  state.visit(state.path, state.at);
  const char = state.text[state.at];
  if (state.path.length > MAX_DEPTH) throw new Broken(`it is nested more than ${MAX_DEPTH} levels deep`, state.at);
  if (char === '{') readMembers(state, '}', readMember);
  else if (char === '[') readMembers(state, ']', (index) => readItem(state, index));
  else if (char === '"') readString(state);
  else readScalar(state);
}

function readMembers(state: Scan, close: '}' | ']', readOne: (index: number, state: Scan) => void): void {
  state.at++;
  skipBlank(state);
  if (take(state, close)) return;
  for (let index = 0; ; index++) {
    readOne(index, state);
    skipBlank(state);
    if (take(state, close)) return;
    const comma = state.at;
    if (!take(state, ',')) throw new Broken(missing(state, `a comma or \`${close}\``), state.at);
    skipBlank(state);
    if (state.text[state.at] === close)
      throw new Broken('there is a trailing comma, which plain JSON does not have', comma);
  }
}

function readMember(_index: number, state: Scan): void {
  if (state.text[state.at] !== '"') throw new Broken(missing(state, 'a key in double quotes'), state.at);
  state.path.push(readString(state));
  skipBlank(state);
  if (!take(state, ':')) throw new Broken(missing(state, 'a colon after the key'), state.at);
  readValue(state);
  state.path.pop();
}

function readItem(state: Scan, index: number): void {
  state.path.push(index);
  readValue(state);
  state.path.pop();
}

function readString(state: Scan): string {
  STRING.lastIndex = state.at;
  const match = STRING.exec(state.text);
  if (!match) throw new Broken('a string is not closed or holds a line break or a wrong escape', state.at);
  state.at = STRING.lastIndex;
  return String(JSON.parse(match[0]));
}

function readScalar(state: Scan): void {
  SCALAR.lastIndex = state.at;
  if (!SCALAR.test(state.text)) throw new Broken(missing(state, 'a value'), state.at);
  state.at = SCALAR.lastIndex;
}

function skipBlank(state: Scan): void {
  while (/[ \t\n\r]/.test(state.text[state.at] ?? '')) state.at++;
  if (state.text.startsWith('//', state.at) || state.text.startsWith('/*', state.at)) {
    throw new Broken('there is a comment, which plain JSON does not have', state.at);
  }
}

function take(state: Scan, char: string): boolean {
  if (state.text[state.at] !== char) return false;
  state.at++;
  return true;
}

function missing(state: Scan, what: string): string {
  const found = state.text[state.at];
  return found === undefined
    ? `it ends where ${what} should be`
    : `${what} should be where ${JSON.stringify(found)} is`;
}
