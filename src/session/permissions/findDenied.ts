import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mayLieWithin, type PathPlaces, pathMatches } from './matchPath.ts';

/** Folders that are large and hold nobody's secrets. */
const SKIPPED = new Set(['.git', 'node_modules']);
const MAX_ENTRIES = 20_000;

interface Search {
  readonly pattern: string;
  readonly folder: string;
  readonly places: PathPlaces;
}

/** A file below a folder that a rule forbids; the folder itself when it is too large to be sure that there is none. */
export function findDenied({ pattern, folder, places }: Search): string | undefined {
  const folders = [folder];
  let seen = 0;
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    if (!mayLieWithin(pattern, at, places)) continue;
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name);
      if (pathMatches({ pattern, path, places, strict: true })) return path;
      if (++seen > MAX_ENTRIES) return folder;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(path);
    }
  }
  return undefined;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
