import { lstatSync, readdirSync, realpathSync } from 'node:fs';

export type PathKind = 'folder' | 'file' | 'link' | 'absent';

/** The view of the file system that planning uses. */
export interface PathInspector {
  /** Of the path itself, not of where a link leads. */
  kind(path: string): PathKind;
  /** Where a path leads; undefined when nothing is there. */
  real(path: string): string | undefined;
  names(folder: string): readonly string[];
}

export const inspectFiles: PathInspector = {
  kind(path) {
    const facts = lstatSync(path, { throwIfNoEntry: false, bigint: false });
    if (!facts) return 'absent';
    if (facts.isSymbolicLink()) return 'link';
    return facts.isDirectory() ? 'folder' : 'file';
  },
  real(path) {
    try {
      return realpathSync(path);
    } catch {
      return undefined;
    }
  },
  names(folder) {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
};

/** A path that cannot be read (no permission, a file in place of a folder) counts as absent. */
export function safely(inspect: PathInspector): PathInspector {
  const kind = (path: string): PathKind => {
    try {
      return inspect.kind(path);
    } catch {
      return 'absent';
    }
  };
  return { ...inspect, kind };
}
