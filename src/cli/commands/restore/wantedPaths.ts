import path from 'node:path';
import { pathBytes } from '../../../git/quotedPath.ts';
import { keyOf } from '../../../git/restore/decideRestore.ts';
import { UserError } from '../../../system/userError.ts';

export interface WantedPaths {
  isWanted(quoted: string): boolean;
  /** Named itself, not by a folder above it. */
  isNamed(quoted: string): boolean;
}

export interface PathWish {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly topLevel: string;
}

/** The paths after `--`: files or folders, relative to the current folder; no words want everything. */
export function wantedPaths({ words, cwd, topLevel }: PathWish): WantedPaths {
  const keys = words.map((word) => keyOfWord(word, { cwd, topLevel }));
  const isBelow = (path: string, key: string) => key === '' || path === key || path.startsWith(`${key}/`);
  return {
    isWanted: (quoted) => keys.length === 0 || keys.some((key) => isBelow(keyOf(quoted), key)),
    isNamed: (quoted) => keys.includes(keyOf(quoted)),
  };
}

function keyOfWord(word: string, { cwd, topLevel }: Pick<PathWish, 'cwd' | 'topLevel'>): string {
  // as we print a name that no text can hold, from the top
  if (/^".*"$/s.test(word)) return pathBytes(word).toString('latin1');
  const relative = path.relative(topLevel, path.resolve(cwd, word));
  if (relative === '..' || relative.startsWith(`..${path.sep}`)) {
    throw new UserError(`${word} is outside of the repository at ${topLevel}.`);
  }
  return Buffer.from(relative).toString('latin1');
}
