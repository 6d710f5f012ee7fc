import { MessageMatcherSchema } from '../../schemas/hooks.ts';
import { isObject } from '../../schemas/jsonValue.ts';
import { nearestName } from '../../system/nearestName.ts';
import type { ConfiguredHook } from '../configuredHook.ts';
import type { KindFacts } from '../kind.ts';
import { compilePattern, isBrokenPattern } from '../matcher.ts';
import { broken, type Finding, invalid, noted, type Place, unknownField } from './finding.ts';

/** Reads one hook. Its own matcher, if any, replaces the group's. */
export function readEntry(item: unknown, at: Place, groupMatcher: Matcher): readonly Finding[] {
  if (!isObject(item)) return [broken(at.path, 'must be an object')];
  const { matcher: ownMatcher, event: ownEvent, ...entry } = item;
  if (ownEvent !== undefined && ownEvent !== at.row.name) return [otherEvent(ownEvent, at)];
  const kind = typeof entry.type === 'string' ? at.kinds.get(entry.type) : undefined;
  if (kind === undefined) return [noSuchKind(entry.type, at)];
  const own = readMatcher(ownMatcher, at);
  if (!own.usable) return own.found;
  const read = kind.schema.safeParse(entry);
  if (!read.success) return invalid(at.path, read.error);
  const matcher = own.matcher ?? groupMatcher;
  const hook = {
    event: at.row.name,
    kind: kind.type,
    settings: read.data,
    label: kind.label(read.data),
    ...(matcher !== undefined && { matcher }),
  };
  return [...own.found, ...withoutEffect(entry, at, kind), { type: 'hook', path: at.path, hook }];
}

/** An entry may repeat its event. One that names another would run where its author does not expect it. */
export function otherEvent(event: unknown, { row, path }: Place): Finding {
  return broken(
    [...path, 'event'],
    `must be "${row.name}", the event it is listed under, got ${JSON.stringify(event)}`,
  );
}

function noSuchKind(type: unknown, { kinds, path }: Place): Finding {
  const names = [...kinds.keys()];
  const place = [...path, 'type'];
  if (typeof type !== 'string') return broken(place, `must be one of ${names.join(', ')}`);
  return broken(place, `"${type}" is not a kind of hook (${names.join(', ')})`, nearestName(type, names));
}

/** Valid settings that have no effect. */
function withoutEffect(entry: Readonly<Record<string, unknown>>, at: Place, kind: KindFacts): readonly Finding[] {
  const { row, path } = at;
  const found = Object.keys(entry)
    .filter((field) => !kind.fields.includes(field))
    .map((field) => unknownField([...path, field], [...kind.fields, 'matcher']));
  if (!row.kinds.some((one) => one === kind.type)) {
    found.push(noted(path, `${kind.type} hooks do not run on ${row.name}, only ${row.kinds.join(', ')}`));
  }
  if (entry.if !== undefined && !row.evaluatesIf) {
    const message = `is only evaluated on tool events; with it this hook never runs on ${row.name}`;
    found.push(noted([...path, 'if'], message));
  }
  return found;
}

export type Matcher = ConfiguredHook['matcher'];

/** `usable: false`: the hooks under it do not run. */
type ReadMatcher =
  | { readonly usable: true; readonly matcher: Matcher; readonly found: readonly Finding[] }
  | { readonly usable: false; readonly found: readonly Finding[] };

/** Reads the `matcher` of a group or of a single entry. */
export function readMatcher(value: unknown, at: Place): ReadMatcher {
  if (value === undefined || value === null) return { usable: true, matcher: undefined, found: [] };
  const path = [...at.path, 'matcher'];
  if (typeof value === 'string') {
    const useless = at.row.matcherField !== null && isBrokenPattern(value, at.row);
    const found = useless ? [noted(path, `"${value}" is not a regular expression, so it matches nothing`)] : [];
    return { usable: true, matcher: value, found };
  }
  const read = MessageMatcherSchema.safeParse(value);
  if (!read.success) return { usable: false, found: invalid(path, read.error) };
  const { pattern } = read.data;
  if (compilePattern(pattern, '') !== undefined) return { usable: true, matcher: read.data, found: [] };
  return { usable: false, found: [broken([...path, 'pattern'], `"${pattern}" is not a regular expression`)] };
}
