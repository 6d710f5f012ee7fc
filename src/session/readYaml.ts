import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import type { JsonPath } from '../schemas/json.ts';
import { isObject } from '../schemas/jsonValue.ts';
import { attempt } from '../system/attempt.ts';

export interface YamlFields {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The line of the file that a field starts on, counted from 1. */
  lineOf(path: JsonPath): number | undefined;
  /** Why the block cannot be read; there are no fields then. */
  readonly problem?: YamlProblem;
}

export interface YamlProblem {
  readonly line: number;
  readonly message: string;
}

/** Reads a block of YAML whose first line is line `firstLine` of its file. */
export function readYaml(text: string, firstLine: number): YamlFields {
  const strict = parse(text);
  // as Claude Code does: `description: Use when: x` and `argument-hint: [a] [b]` are common, and not YAML
  const parsed = strict.document.errors.length === 0 ? strict : parse(quoteBrokenValues(text));
  const fields = parsed.document.errors.length === 0 ? fieldsOf(parsed.document) : undefined;
  if (fields === undefined) return { fields: {}, lineOf: () => undefined, problem: problemOf(strict, firstLine) };
  return { fields, lineOf: (path) => lineIn(parsed, path, firstLine) };
}

interface Parsed {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

function parse(text: string): Parsed {
  const lines = new LineCounter();
  return { document: parseDocument(text, { lineCounter: lines, logLevel: 'silent', prettyErrors: false }), lines };
}

/** Quotes each value of an outermost field that is not YAML by itself. Line numbers stay the same. */
function quoteBrokenValues(text: string): string {
  return text.replace(
    /^([A-Za-z][\w-]*:[ \t]+)(\S.*?)[ \t]*(\r?)$/gm,
    (line, key: string, value: string, end: string) =>
      parse(`${key}${value}`).document.errors.length === 0 ? line : `${key}${JSON.stringify(value)}${end}`,
  );
}

/** Undefined for anything but fields: a list, a text, or aliases that expand without limit. */
function fieldsOf(document: Document.Parsed): Readonly<Record<string, unknown>> | undefined {
  const value = attempt<unknown>(() => document.toJS({ maxAliasCount: 100 }) ?? {}, undefined);
  return isObject(value) ? value : undefined;
}

function problemOf({ document, lines }: Parsed, firstLine: number): YamlProblem {
  const [error] = document.errors;
  if (!error) return { line: firstLine, message: 'it must be a list of `key: value` fields' };
  const message = error.message.split('\n')[0]?.replace(/[.:]$/, '') ?? '';
  return { line: lines.linePos(error.pos[0]).line + firstLine - 1, message };
}

function lineIn({ document, lines }: Parsed, path: JsonPath, firstLine: number): number | undefined {
  const node = document.getIn(path, true);
  const start = isNode(node) ? node.range?.[0] : undefined;
  return start === undefined ? undefined : lines.linePos(start).line + firstLine - 1;
}
