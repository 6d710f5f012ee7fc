import { isAbsolute, relative } from 'node:path';

export interface ImportFacts {
  /** Where the file really is, links followed. */
  readonly realPath: string;
  /** Folders that the importing file may draw from; undefined for the person's own files, which may draw from anywhere. */
  readonly within: readonly string[] | undefined;
  readonly depth: number;
}

const MAX_IMPORT_DEPTH = 5;

export type ImportDecision = { readonly type: 'load' } | { readonly type: 'refuse'; readonly because: string };

/**
 * A repository's instructions may quote the repository and nothing else: `@~/.ssh/id_rsa`, or a link that leads
 * there, would put a secret into a conversation that the repository's text then steers.
 */
export function decideImport({ realPath, within, depth }: ImportFacts): ImportDecision {
  if (depth > MAX_IMPORT_DEPTH) {
    return { type: 'refuse', because: `imports may be nested ${MAX_IMPORT_DEPTH} deep at most` };
  }
  if (within === undefined || within.some((folder) => contains(folder, realPath))) return { type: 'load' };
  return { type: 'refuse', because: 'it is outside the project, and only a trusted project may draw from elsewhere' };
}

function contains(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !inside.startsWith('../') && !isAbsolute(inside);
}
