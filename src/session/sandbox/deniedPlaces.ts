import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fixedParts, isInside, type PathPlaces, pathMatches } from '../../permissions/matchPath.ts';
import { parseRule } from '../../permissions/parseRule.ts';
import { attempt } from '../../system/attempt.ts';

/** Rules that forbid reading a file, and rules that only forbid changing it. */
const READING = new Set(['Read']);
const WRITING = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);

/** The paths in deny rules, as written. A rule for a whole tool removes the tool and has no path. */
export function deniedPatterns(deny: readonly string[]) {
  const rules = deny.flatMap((text) => parseRule(text).rule ?? []);
  const about = (tools: ReadonlySet<string>) =>
    rules.flatMap(({ toolName, content }) => (tools.has(toolName) && content !== undefined ? [content] : []));
  return { reading: about(READING), writing: about(WRITING) };
}

interface FoundPlaces {
  readonly paths: readonly string[];
  /** Patterns whose search hit the limit. */
  readonly unfinished: readonly string[];
}

/** Entries read for all patterns together; 100,000 take about 0.3 s. */
const MOST_ENTRIES = 100_000;

interface Search {
  readonly pattern: string;
  readonly start: string;
}

/** The paths that patterns match now. Only patterns with a wildcard need a search, which `within` limits to these folders. */
export function deniedPlaces(
  patterns: readonly string[],
  places: PathPlaces,
  { within, limit = MOST_ENTRIES }: { readonly within?: readonly string[]; readonly limit?: number } = {},
): FoundPlaces {
  const parts = patterns.flatMap((pattern) => fixedParts(pattern, places).map((part) => ({ pattern, ...part })));
  const named = parts.filter(({ whole }) => whole).map(({ path }) => path);
  const searches = parts.filter(({ whole }) => !whole).flatMap(({ pattern, path }) => startsFor(pattern, path, within));
  const found = search(searches, places, limit);
  return { paths: [...new Set([...named, ...found.paths])], unfinished: found.unfinished };
}

function startsFor(pattern: string, start: string, within: readonly string[] | undefined): Search[] {
  if (within === undefined || isInside(start, within)) return [{ pattern, start }];
  return within.filter((folder) => isInside(folder, [start])).map((folder) => ({ pattern, start: folder }));
}

/** One walk for all patterns that start at the same folder. */
function search(searches: readonly Search[], places: PathPlaces, limit: number): FoundPlaces {
  const paths: string[] = [];
  const unfinished = new Set<string>();
  let left = limit;
  for (const start of new Set(searches.map((one) => one.start))) {
    const patterns = searches.filter((one) => one.start === start).map(({ pattern }) => pattern);
    const isDenied = (path: string) => patterns.some((pattern) => pathMatches({ pattern, path, places, strict: true }));
    const folders = [start];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const entry of attempt(() => readdirSync(folder, { withFileTypes: true }), [])) {
        if (--left < 0) break;
        const path = join(folder, entry.name);
        // all that is in a denied folder is hidden with it
        if (isDenied(path)) paths.push(path);
        else if (entry.isDirectory()) folders.push(path);
      }
      if (left < 0) break;
    }
    if (left < 0) for (const pattern of patterns) unfinished.add(pattern);
  }
  return { paths, unfinished: [...unfinished] };
}
