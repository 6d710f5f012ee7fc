import { lstatSync, readdirSync, realpathSync } from 'node:fs';

export type PathKind = 'folder' | 'file' | 'link' | 'absent';

/** What planning looks at; the file system by default. */
export interface Look {
  /** Of the path itself, not of where a link leads. */
  kind(path: string): PathKind;
  /** Where a path leads; undefined when nothing is there. */
  real(path: string): string | undefined;
  names(folder: string): readonly string[];
}

export const lookAtFiles: Look = {
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

/** A path that cannot be looked at (no right to, a file where a folder should be) is taken for absent. */
export function safely(look: Look): Look {
  const kind = (path: string): PathKind => {
    try {
      return look.kind(path);
    } catch {
      return 'absent';
    }
  };
  return { ...look, kind };
}
