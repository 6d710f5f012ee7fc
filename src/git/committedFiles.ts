import { createHash, type Hash } from 'node:crypto';
import { type Git, outputOf } from './git.ts';

/** A commit, and a digest of its files that was taken earlier: an agent can exchange objects in the repository. */
export interface KnownCommit {
  readonly topLevel: string;
  readonly head: string | null;
  readonly committed: string;
}

const ENTRY = /^(\d{6}) \w+ ([0-9a-f]+)\t(.*)$/;

/** Adds one file; in git's order, which is the same for an index and a tree. */
export const addCommitted = (hash: Hash, state: string, quoted: string): Hash => hash.update(`${state}\t${quoted}\n`);

/** The files of a commit that a filter keeps, as `mode object` by quoted path. Rejects when they are not what they were. */
export async function committedFiles(
  git: Git,
  { topLevel, head, committed }: KnownCommit,
  isKept: (quoted: string) => boolean,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const hash = createHash('sha256');
  const onLine = (line: string) => {
    const [, mode = '', object = '', quoted = ''] = ENTRY.exec(line) ?? [];
    const state = `${mode} ${object}`;
    addCommitted(hash, state, quoted);
    if (isKept(quoted)) files.set(quoted, state);
  };
  if (head !== null) await outputOf(git, { folder: topLevel, args: ['ls-tree', '-r', '--full-tree', head], onLine });
  if (hash.digest('hex') !== committed) throw new Error(`the files of commit ${head} are not those that it had before`);
  return files;
}
