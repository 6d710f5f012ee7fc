import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeFileAtomically } from '../system/atomicFile.ts';
import { readTextFileSync } from '../system/readTextFile.ts';
import { type Git, outputOf } from './git.ts';
import { readRefs } from './readRefs.ts';
import { SNAPSHOTS } from './snapshotRef.ts';
import type { WorkTree } from './workTree.ts';

/** In a worktree's own git folder. */
const OWN_FILES = ['config.worktree', 'info/sparse-checkout', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'];
const OPERATION_FILES = ['BISECT_LOG', 'rebase-merge/head-name', 'rebase-apply/head-name'];
/** In the repository's git folder; the log of the stash lists all stashes. */
const SHARED_FILES = ['config', 'info/exclude', 'info/attributes', 'logs/refs/stash'];

/**
 * A digest of what a check can learn from git besides the files: the branch, all refs, what is staged and how it is
 * marked, the configuration, an operation in progress. Our refs of kept work do not count. `cacheFile` is outside the
 * repository.
 */
export async function repositoryState(git: Git, workTree: WorkTree, cacheFile: string): Promise<string> {
  const { gitDir, branch } = workTree;
  const shared = commonFolder(gitDir);
  const [staged, refs] = await Promise.all([indexDigest(git, workTree, cacheFile), refsDigest(git, workTree, shared)]);
  const files = [
    ...[...OWN_FILES, ...OPERATION_FILES].map((name) => join(gitDir, name)),
    ...SHARED_FILES.map((name) => join(shared, name)),
  ];
  const contents = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => null)));
  const hash = createHash('sha256').update(JSON.stringify([branch, contents]));
  return hash.update(refs).update(staged).digest('hex');
}

const LONGEST_POINTER = 8_192;

/** A linked worktree names the repository's git folder in a file; `git rev-parse --git-common-dir` does no more. */
function commonFolder(gitDir: string): string {
  const pointer = readTextFileSync(join(gitDir, 'commondir'), LONGEST_POINTER);
  return pointer.type === 'read' ? resolve(gitDir, pointer.text.trimEnd()) : gitDir;
}

async function refsDigest(git: Git, { topLevel, gitDir }: WorkTree, commonDir: string): Promise<string> {
  const hash = createHash('sha256');
  const add = (line: string) => void (line.startsWith(`${SNAPSHOTS}/`) || hash.update(`${line}\n`));
  const refs = readRefs(gitDir, commonDir);
  if (refs !== undefined) {
    for (const line of [...refs].map((ref) => ref.join(' ')).toSorted()) add(line);
    return hash.digest('hex');
  }
  const args = ['for-each-ref', '--format=%(refname) %(objectname) %(symref)'];
  await outputOf(git, { folder: topLevel, args, onLine: add });
  return hash.digest('hex');
}

/** File times are coarse: two changes in one step of the clock look like one. */
const SETTLED_NS = 1_000_000_000n;

/**
 * A digest of what is staged and how it is marked, without the times in the index, which `git status` changes. Listing
 * 50,000 files takes as long as half a `git status`, so the digest is cached with the inode and change time of the index.
 */
async function indexDigest(git: Git, { topLevel: folder, gitDir }: WorkTree, cacheFile: string): Promise<string> {
  const entry = await stat(join(gitDir, 'index'), { bigint: true }).catch(() => undefined);
  const mark = entry && `${entry.dev} ${entry.ino} ${entry.size} ${entry.mtimeNs} ${entry.ctimeNs}`;
  const [known, digest] = (await readFile(cacheFile, 'utf8').catch(() => '')).split('\n');
  if (mark !== undefined && known === mark && digest) return digest;
  const hash = createHash('sha256');
  const onLine = (line: string) => void hash.update(`${line}\n`);
  await outputOf(git, { folder, args: ['ls-files', '--stage', '-v'], onLine });
  const made = hash.digest('hex');
  try {
    // only when the index is older than the cache file by a step of the clock
    if (entry) await writeFileAtomically(cacheFile, '');
    const isSettled = entry && (await stat(cacheFile, { bigint: true })).ctimeNs - entry.ctimeNs > SETTLED_NS;
    if (isSettled) await writeFileAtomically(cacheFile, `${mark}\n${made}`);
  } catch {
    // it is listed again; the folder is created with the mirror
  }
  return made;
}
