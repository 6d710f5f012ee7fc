import { formatJsonPath, type JsonPath, locateJsonPath } from '../../schemas/json.ts';
import { isObject } from '../../schemas/jsonValue.ts';
import { nearestName } from '../../system/nearestName.ts';
import type { ConfiguredHook, HookSource, PluginPlace } from '../configuredHook.ts';
import { allEvents, findEvent } from '../events/eventTable.ts';
import type { KindFacts } from '../kind.ts';
import { broken, type Finding, type HookProblem, type Place, unknownField } from './finding.ts';
import { otherEvent, readEntry, readMatcher } from './readEntry.ts';

/** One settings file's `hooks`, parsed and as text. */
export interface HookLayer {
  readonly source: HookSource;
  readonly file: string;
  readonly value: unknown;
  /** The file's text, for line numbers. */
  readonly text?: string;
  /** Line numbers of a file that is not JSON. */
  lineOf?(path: JsonPath): number | undefined;
  /** The agent whose file this is. */
  readonly agent?: string;
  readonly plugin?: PluginPlace;
}

/** Reads a layer entry by entry: only broken entries are reported and left out. */
export function readLayer(
  layer: HookLayer,
  kinds: readonly KindFacts[],
): { readonly hooks: readonly ConfiguredHook[]; readonly problems: readonly HookProblem[] } {
  const names = kinds.flatMap((kind) => [kind.type, ...(kind.aliases ?? [])].map((name) => [name, kind] as const));
  const found = readValue(layer.value, new Map(names));
  const { source, file, agent, plugin } = layer;
  const owner = { source, file, ...(agent !== undefined && { agent }), ...(plugin && { plugin }) };
  return {
    hooks: found.flatMap((one) => (one.type === 'hook' ? [{ ...one.hook, ...owner, ...place(layer, one.path) }] : [])),
    problems: firstProblems(found).map(({ problem, path }) => ({ ...problem, file, ...place(layer, path) })),
  };
}

/** More problems than these in one file are only counted. */
const MAX_PROBLEMS = 100;

function firstProblems(found: readonly Finding[]): readonly Extract<Finding, { type: 'problem' }>[] {
  const problems = found.filter((one) => one.type === 'problem');
  if (problems.length <= MAX_PROBLEMS) return problems;
  const rest = broken(['hooks'], `and ${problems.length - MAX_PROBLEMS} more entries of this file are broken`);
  return [...problems.slice(0, MAX_PROBLEMS), rest];
}

type Kinds = ReadonlyMap<string, KindFacts>;

function readValue(value: unknown, kinds: Kinds): readonly Finding[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => readListed(item, ['hooks', index], kinds));
  if (isObject(value)) return Object.entries(value).flatMap(([name, items]) => readEvent(name, items, kinds));
  return [broken(['hooks'], 'must be an object of events, or a list of hooks that name their event')];
}

function readEvent(name: string, items: unknown, kinds: Kinds): readonly Finding[] {
  const path = ['hooks', name];
  const row = findEvent(name);
  if (row === undefined) return [unknownEvent(name, path)];
  if (!Array.isArray(items)) return [broken(path, 'must be a list of hooks')];
  return items.flatMap((item, index) => readItem(item, { row, kinds, path: [...path, index] }));
}

/** An entry of the list form, which names its event. */
function readListed(item: unknown, path: JsonPath, kinds: Kinds): readonly Finding[] {
  if (!isObject(item)) return [broken(path, 'must be an object')];
  const { event, ...rest } = item;
  if (event === undefined && Array.isArray(item.hooks)) return readListedGroup(item, path, kinds);
  if (typeof event !== 'string') return [broken([...path, 'event'], 'must name the event')];
  const row = findEvent(event);
  if (row === undefined) return [unknownEvent(event, [...path, 'event'])];
  return readItem(rest, { row, kinds, path });
}

/** A group whose entries name their events one by one. */
function readListedGroup(item: Readonly<Record<string, unknown>>, path: JsonPath, kinds: Kinds): readonly Finding[] {
  const { hooks, ...group } = item;
  const entries = Array.isArray(hooks) ? hooks : [];
  return entries.flatMap((entry, index) => {
    const place = [...path, 'hooks', index];
    return isObject(entry) ? readListed({ ...group, ...entry }, place, kinds) : [broken(place, 'must be an object')];
  });
}

/** A group of entries under one matcher, or a single entry. */
function readItem(item: unknown, at: Place): readonly Finding[] {
  if (!isObject(item)) return [broken(at.path, 'must be an object')];
  if (!('hooks' in item)) return readEntry(item, at, undefined);
  const { matcher, hooks, event, ...others } = item;
  if (event !== undefined && event !== at.row.name) return [otherEvent(event, at)];
  if (!Array.isArray(hooks)) return [broken([...at.path, 'hooks'], 'must be a list of hooks')];
  const read = readMatcher(matcher, at);
  if (!read.usable) return read.found;
  const unknown = Object.keys(others).map((field) => unknownField([...at.path, field], ['matcher', 'hooks']));
  const entries = hooks.flatMap((entry, index) =>
    readEntry(entry, { ...at, path: [...at.path, 'hooks', index] }, read.matcher),
  );
  return [...read.found, ...unknown, ...entries];
}

function unknownEvent(name: string, path: JsonPath): Finding {
  const names = allEvents().map((row) => row.name);
  return broken(path, `"${name}" is not an event`, nearestName(name, names));
}

/** A missing field gets the line of its parent. */
function place({ text, lineOf = lineInJson(text) }: HookLayer, path: JsonPath): { path: string; line?: number } {
  for (let length = path.length; length > 0; length--) {
    const line = lineOf(path.slice(0, length));
    if (line !== undefined) return { path: formatJsonPath(path), line };
  }
  return { path: formatJsonPath(path) };
}

function lineInJson(text: string | undefined): NonNullable<HookLayer['lineOf']> {
  return (path) => (text === undefined ? undefined : locateJsonPath(text, path)?.line);
}
