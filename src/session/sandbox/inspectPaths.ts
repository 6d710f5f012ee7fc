import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { attempt } from '../../system/attempt.ts';

export type PathKind = 'folder' | 'file' | 'link' | 'absent';

/** The view of the file system that planning uses. */
export interface PathInspector {
  /** Of the path itself, not of where a link leads. */
  kind(path: string): PathKind;
  /** Where a path leads; undefined when nothing is there. */
  real(path: string): string | undefined;
  names(folder: string): readonly string[];
}

/** A path that cannot be read (no permission, a file in place of a folder) counts as absent. */
export const inspectFiles: PathInspector = {
  kind: (path) => attempt(() => kindOf(path), 'absent'),
  real: (path) => attempt(() => realpathSync(path), undefined),
  names: (folder) => attempt(() => readdirSync(folder), []),
};

function kindOf(path: string): PathKind {
  const facts = lstatSync(path);
  if (facts.isSymbolicLink()) return 'link';
  return facts.isDirectory() ? 'folder' : 'file';
}
