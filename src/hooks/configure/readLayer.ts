import type { z } from 'zod';
import { MessageMatcherSchema } from '../../schemas/hooks.ts';
import type { ConfiguredHook, HookSource, PluginPlace } from '../configuredHook.ts';
import type { EventRow } from '../events/eventRow.ts';
import { allEvents, findEvent } from '../events/eventTable.ts';
import type { KindFacts } from '../kind.ts';
import { compilePattern, isBrokenPattern } from '../matcher.ts';
import type { HookProblem } from './hookProblem.ts';
import { type JsonPath, lineOf, pathText } from './jsonPath.ts';
import { nearestName } from './nearestName.ts';

/** One settings file's `hooks`, as it was parsed and as it was written. */
export interface HookLayer {
  readonly source: HookSource;
  readonly file: string;
  readonly value: unknown;
  /** The file's text, for line numbers. */
  readonly text?: string;
  readonly plugin?: PluginPlace;
}

export interface LayerHooks {
  readonly hooks: readonly ConfiguredHook[];
  readonly problems: readonly HookProblem[];
}

/** Reads a layer entry by entry: a broken one is named and left out, and nothing else is. */
export function readLayer(layer: HookLayer, kinds: readonly KindFacts[]): LayerHooks {
  const reading: Reading = { layer, kinds: kindsByName(kinds), hooks: [], problems: [] };
  const { value } = layer;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) readListed(reading, item, ['hooks', index]);
  } else if (isObject(value)) {
    for (const [name, items] of Object.entries(value)) readEvent(reading, name, items);
  } else if (value !== undefined && value !== null) {
    disable(reading, ['hooks'], 'must be an object of events, or a list of hooks that name their event');
  }
  return reading;
}

interface Reading {
  readonly layer: HookLayer;
  readonly kinds: ReadonlyMap<string, KindFacts>;
  readonly hooks: ConfiguredHook[];
  readonly problems: HookProblem[];
}

type Fields = Readonly<Record<string, unknown>>;

function kindsByName(kinds: readonly KindFacts[]): ReadonlyMap<string, KindFacts> {
  return new Map(kinds.flatMap((kind) => [kind.type, ...(kind.aliases ?? [])].map((name) => [name, kind] as const)));
}

function readEvent(reading: Reading, name: string, items: unknown): void {
  const path = ['hooks', name];
  const row = findEvent(name);
  if (row === undefined) return unknownEvent(reading, name, path);
  if (!Array.isArray(items)) return disable(reading, path, 'must be a list of hooks');
  for (const [index, item] of items.entries()) readItem(reading, { row, item, path: [...path, index] });
}

/** An entry of the list form, which says itself when it runs. */
function readListed(reading: Reading, item: unknown, path: JsonPath): void {
  if (!isObject(item)) return disable(reading, path, 'must be an object');
  const { event, ...rest } = item;
  if (typeof event !== 'string') return disable(reading, [...path, 'event'], 'must name the event');
  const row = findEvent(event);
  if (row === undefined) return unknownEvent(reading, event, [...path, 'event']);
  readItem(reading, { row, item: rest, path });
}

interface Item {
  readonly row: EventRow;
  readonly item: unknown;
  readonly path: JsonPath;
}

/** A group of entries under one matcher, or an entry that stands by itself. */
function readItem(reading: Reading, { row, item, path }: Item): void {
  if (!isObject(item)) return disable(reading, path, 'must be an object');
  if (!('hooks' in item)) return readEntry(reading, { row, item, path }, undefined);
  const { matcher, hooks, ...others } = item;
  for (const field of Object.keys(others)) noteUnknown(reading, [...path, field], ['matcher', 'hooks']);
  if (!Array.isArray(hooks)) return disable(reading, [...path, 'hooks'], 'must be a list of hooks');
  const read = readMatcher(reading, { row, item: matcher, path: [...path, 'matcher'] });
  if (read === 'broken') return;
  for (const [index, entry] of hooks.entries()) {
    readEntry(reading, { row, item: entry, path: [...path, 'hooks', index] }, read);
  }
}

type Matcher = ConfiguredHook['matcher'];

function readMatcher(reading: Reading, { row, item, path }: Item): Matcher | 'broken' {
  if (item === undefined || item === null) return undefined;
  if (typeof item === 'string') {
    if (row.matcherField !== null && isBrokenPattern(item, row)) {
      note(reading, path, `"${item}" is not a regular expression, so it matches nothing`);
    }
    return item;
  }
  const read = MessageMatcherSchema.safeParse(item);
  if (!read.success) {
    disableFor(reading, path, read.error);
    return 'broken';
  }
  if (compilePattern(read.data.pattern, '') !== undefined) return read.data;
  disable(reading, [...path, 'pattern'], `"${read.data.pattern}" is not a regular expression`);
  return 'broken';
}

function readEntry(reading: Reading, { row, item, path }: Item, groupMatcher: Matcher): void {
  if (!isObject(item)) return disable(reading, path, 'must be an object');
  const { matcher: ownMatcher, ...entry } = item;
  const kind = kindOf(reading, entry, path);
  if (kind === undefined) return;
  const own = readMatcher(reading, { row, item: ownMatcher, path: [...path, 'matcher'] });
  if (own === 'broken') return;
  const read = kind.schema.safeParse(entry);
  if (!read.success) return disableFor(reading, path, read.error);
  for (const field of Object.keys(entry)) {
    if (!kind.fields.includes(field)) noteUnknown(reading, [...path, field], [...kind.fields, 'matcher']);
  }
  noteWithoutEffect(reading, { row, item: entry, path }, kind);
  const matcher = own ?? groupMatcher;
  const { source, file, plugin } = reading.layer;
  reading.hooks.push({
    event: row.name,
    kind: kind.type,
    settings: read.data,
    label: kind.label(read.data),
    ...(matcher !== undefined && { matcher }),
    source,
    file,
    path: pathText(path),
    ...lineAt(reading, path),
    ...(plugin && { plugin }),
  });
}

function kindOf(reading: Reading, entry: Fields, path: JsonPath): KindFacts | undefined {
  const { type } = entry;
  const names = [...reading.kinds.keys()];
  if (typeof type !== 'string') {
    disable(reading, [...path, 'type'], `must be one of ${names.join(', ')}`);
    return undefined;
  }
  const kind = reading.kinds.get(type);
  if (kind !== undefined) return kind;
  const message = `"${type}" is not a kind of hook (${names.join(', ')})`;
  disable(reading, [...path, 'type'], message, nearestName(type, names));
  return undefined;
}

/** Valid, and yet it will never run: better said now than found out at a stop. */
function noteWithoutEffect(reading: Reading, { row, item, path }: Item, kind: KindFacts): void {
  if (!row.kinds.some((one) => one === kind.type)) {
    note(reading, path, `${kind.type} hooks do not run on ${row.name}, only ${row.kinds.join(', ')}`);
  }
  if (isObject(item) && item.if !== undefined && !row.evaluatesIf) {
    note(reading, [...path, 'if'], `is only evaluated on tool events; with it this hook never runs on ${row.name}`);
  }
}

function unknownEvent(reading: Reading, name: string, path: JsonPath): void {
  const names = allEvents().map((row) => row.name);
  disable(reading, path, `"${name}" is not an event`, nearestName(name, names));
}

function noteUnknown(reading: Reading, path: JsonPath, known: readonly string[]): void {
  const name = String(path.at(-1));
  note(reading, path, `"${name}" is not a known field and has no effect`, nearestName(name, known));
}

function disableFor(reading: Reading, path: JsonPath, error: z.ZodError): void {
  for (const issue of error.issues) {
    const place = issue.path.filter((step) => typeof step !== 'symbol');
    disable(reading, [...path, ...place], issue.message);
  }
}

function disable(reading: Reading, path: JsonPath, message: string, nearest?: string): void {
  addProblem(reading, path, { message, effect: 'disabled', ...(nearest !== undefined && { nearest }) });
}

function note(reading: Reading, path: JsonPath, message: string, nearest?: string): void {
  addProblem(reading, path, { message, effect: 'noted', ...(nearest !== undefined && { nearest }) });
}

function addProblem(
  reading: Reading,
  path: JsonPath,
  problem: Pick<HookProblem, 'message' | 'nearest' | 'effect'>,
): void {
  reading.problems.push({ file: reading.layer.file, path: pathText(path), ...lineAt(reading, path), ...problem });
}

/** A field that is missing is on the line of what it is missing from. */
function lineAt({ layer }: Reading, path: JsonPath): { line?: number } {
  if (layer.text === undefined) return {};
  for (let length = path.length; length > 0; length--) {
    const line = lineOf(layer.text, path.slice(0, length));
    if (line !== undefined) return { line };
  }
  return {};
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
