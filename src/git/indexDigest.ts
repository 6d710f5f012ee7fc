import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../system/atomicFile.ts';
import type { Git, GitFailure } from './git.ts';
import type { WorkTree } from './workTree.ts';

/** The times of a file are coarse: two changes in one step of the clock look like one. */
const SETTLED_NS = 1_000_000_000n;

export interface IndexDigestRequest {
  readonly workTree: WorkTree;
  /** Where the last digest is remembered, outside the repository. */
  readonly cacheFile: string;
}

/**
 * A digest of what is staged and how it is marked, without the times that git keeps beside it: looking at the state of a
 * repository changes those. Listing 50,000 files takes as long as half a `git status`, so the last digest is remembered
 * for the very index that it was made of, by its inode and by the time of its last change, which cannot be set.
 */
export async function indexDigest(
  git: Git,
  { workTree, cacheFile }: IndexDigestRequest,
): Promise<{ readonly type: 'index'; readonly digest: string } | GitFailure> {
  const mark = await markOf(join(workTree.gitDir, 'index'));
  const [known, digest] = (await readFile(cacheFile, 'utf8').catch(() => '')).split('\n');
  if (mark !== undefined && known === mark.text && digest) return { type: 'index', digest };
  const hash = createHash('sha256');
  const onLine = (line: string) => void hash.update(`${line}\n`);
  const listed = await git.run({ folder: workTree.topLevel, args: ['ls-files', '--stage', '-v'], onLine });
  if (listed.type === 'failed') return listed;
  const made = hash.digest('hex');
  if (mark !== undefined) await remember(cacheFile, mark, made);
  return { type: 'index', digest: made };
}

interface Mark {
  readonly text: string;
  readonly changedNs: bigint;
}

async function markOf(file: string): Promise<Mark | undefined> {
  const entry = await stat(file, { bigint: true }).catch(() => undefined);
  if (entry === undefined) return undefined;
  const text = `${entry.dev} ${entry.ino} ${entry.size} ${entry.mtimeNs} ${entry.ctimeNs}`;
  return { text, changedNs: entry.ctimeNs };
}

/** Only when the index is older than the cache's own file by a step of the clock; a failure only means listing it again. */
async function remember(cacheFile: string, { text, changedNs }: Mark, digest: string): Promise<void> {
  try {
    await writeFileAtomically(cacheFile, '');
    const { ctimeNs } = await stat(cacheFile, { bigint: true });
    if (ctimeNs - changedNs > SETTLED_NS) await writeFileAtomically(cacheFile, `${text}\n${digest}`);
  } catch {
    // the folder is made with the mirror
  }
}
