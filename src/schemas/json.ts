import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';

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

type BrokenJson = Extract<JsonText, { type: 'broken' }>;

/** Deeper than any settings file, shallower than any call stack. */
const MAX_DEPTH = 200;

/** Reads plain JSON; an error is reported with its line and column, as the usual mistake behind it. */
export function parseJson(text: string): JsonText {
  const body = withoutBom(text);
  return scan(body, () => {}) ?? { type: 'parsed', value: JSON.parse(body) };
}

/** The start of the value at a path, such as `permissions.allow[2]`. Of duplicate keys, the last one. */
export function locateJsonPath(text: string, path: JsonPath | string): JsonPlace | undefined {
  const wanted = typeof path === 'string' ? parseJsonPath(path) : path;
  return wanted.reduce<PlaceNode | undefined>((node, step) => node?.inside.get(step), placesIn(text))?.place;
}

/** The second place of a key that an object has twice: JSON takes the last one, and nothing reports the first. */
export function repeatedKey(text: string): ({ readonly path: JsonPath } & JsonPlace) | undefined {
  const keys: Set<string | number>[] = [];
  let repeated: ReturnType<typeof repeatedKey>;
  scan(withoutBom(text), (path, place) => {
    keys[path.length] = new Set();
    const step = path.at(-1);
    if (step === undefined) return;
    const inside = keys[path.length - 1];
    if (inside?.has(step)) repeated ??= { path: [...path], ...place };
    inside?.add(step);
  });
  return repeated;
}

/** A value's start, and those of the values in it. */
interface PlaceNode {
  readonly place: JsonPlace;
  readonly inside: Map<string | number, PlaceNode>;
}

/** Caches the last texts: a file is searched once for each of its errors. */
const REMEMBERED = 4;
const remembered: { readonly text: string; readonly root: PlaceNode | undefined }[] = [];

function placesIn(text: string): PlaceNode | undefined {
  const known = remembered.find((one) => one.text === text);
  if (known) return known.root;
  const above: PlaceNode[] = [];
  scan(withoutBom(text), (path, place) => {
    const node: PlaceNode = { place, inside: new Map() };
    above[path.length] = node;
    const step = path.at(-1);
    if (step !== undefined) above[path.length - 1]?.inside.set(step, node);
  });
  remembered.unshift({ text, root: above[0] });
  remembered.length = Math.min(remembered.length, REMEMBERED);
  return above[0];
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

type Close = '}' | ']';

class Fault {
  readonly message: string;
  readonly offset: number;
  constructor(message: string, offset: number) {
    this.message = message;
    this.offset = offset;
  }
}

/** Visits every value up to the first error, which it returns: parsing beyond it is a guess and can be slow. */
function scan(text: string, see: (path: JsonPath, place: JsonPlace) => void): BrokenJson | undefined {
  const closes: Close[] = [];
  let keyEnd = -1;
  const placeOf = (line: number, character: number) => ({ line: line + 1, column: character + 1 });
  const begin = (close: Close): NonNullable<JSONVisitor['onObjectBegin']> => {
    return (offset, _length, line, character, path) => {
      if (closes.push(close) > MAX_DEPTH + 1)
        throw new Fault(`it is nested more than ${MAX_DEPTH} levels deep`, offset);
      see(path(), placeOf(line, character));
    };
  };
  const end = () => void closes.pop();
  const visitor: JSONVisitor = {
    onObjectBegin: begin('}'),
    onArrayBegin: begin(']'),
    onObjectEnd: end,
    onArrayEnd: end,
    onObjectProperty: (_key, offset, length) => {
      keyEnd = offset + length;
    },
    onLiteralValue: (_value, _offset, _length, line, character, path) => see(path(), placeOf(line, character)),
    onError: (code, offset) => {
      throw faultAt(text, offset, { error: printParseErrorCode(code), close: closes.at(-1), keyEnd });
    },
  };
  try {
    visit(text, visitor, { disallowComments: true });
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const before = text.slice(0, error.offset).split('\n');
    return { type: 'broken', message: error.message, ...placeOf(before.length - 1, before.at(-1)?.length ?? 0) };
  }
}

const STRING_ERRORS = ['UnexpectedEndOfString', 'InvalidUnicode', 'InvalidEscapeCharacter', 'InvalidCharacter'];

interface FaultFacts {
  readonly error: string;
  /** The bracket that would close the container. */
  readonly close: Close | undefined;
  /** The end of the last key. */
  readonly keyEnd: number;
}

function faultAt(text: string, offset: number, { error, close, keyEnd }: FaultFacts): Fault {
  const next = text[offset];
  if (error === 'InvalidCommentToken') return new Fault('there is a comment, which plain JSON does not have', offset);
  if (STRING_ERRORS.includes(error) && next === '"')
    return new Fault('a string is not closed or holds a line break or a wrong escape', offset);
  const before = text.slice(0, offset).trimEnd();
  if (before.endsWith(',') && next === close && next !== undefined)
    return new Fault('there is a trailing comma, which plain JSON does not have', before.length - 1);
  if (error === 'EndOfFileExpected') return new Fault('there is more after the end of the JSON value', offset);
  const what = before.length === keyEnd ? 'a colon after the key' : wanted(before, close ?? CLOSE_OF.get(error));
  const found =
    next === undefined ? `it ends where ${what} should be` : `${what} should be where ${JSON.stringify(next)} is`;
  return new Fault(found, offset);
}

/** At the end of the text, the parser has left the container before it reports the error. */
const CLOSE_OF = new Map<string, Close>([
  ['CloseBraceExpected', '}'],
  ['CloseBracketExpected', ']'],
]);

function wanted(before: string, close: Close | undefined): string {
  if (close === undefined || /[:[]$/.test(before)) return 'a value';
  if (!/[{,]$/.test(before)) return `a comma or \`${close}\``;
  return close === '}' ? 'a key in double quotes' : 'a value';
}
