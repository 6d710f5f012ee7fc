import { createHash, randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../atomicFile.ts';
import type { Git, GitCommand, GitEnd } from './git.ts';
import { absolutePath } from './quotedPath.ts';
import { objectStore } from './workTree.ts';

/**
 * A git folder of our own for somebody's worktree, outside the repository: no configuration, no exclude lists, no
 * attributes but those in the tree, and an index per commit that records which files were read and found equal to that
 * commit. An agent can write to the repository's index and configuration, so they prove nothing; these do.
 */
export interface Mirror {
  readonly git: (command: Omit<GitCommand, 'folder' | 'apart'>) => Promise<GitEnd>;
  /** Paths of submodules, quoted. */
  readonly submodules: readonly string[];
  /** Records that these files, by quoted path, hold what the commit holds. A failure only means reading them again. */
  recordEqual(paths: readonly string[]): Promise<void>;
}

export interface MirrorPlace {
  /** The folder of all mirrors. */
  readonly mirrors: string;
  readonly topLevel: string;
  readonly head: string | undefined;
}

export type OpenedMirror = { readonly type: 'mirror'; readonly mirror: Mirror } | Extract<GitEnd, { type: 'failed' }>;

/**
 * Git compares times by the second: a file that changes twice in one second would look the same. So nothing is recorded of
 * a file before a second has passed.
 */
const SETTLED_MS = 1_000;
const INDEXES_KEPT = 4;
const KEPT_DAYS = 30;
const GITLINK = '160000';

export async function openMirror(git: Git, place: MirrorPlace): Promise<OpenedMirror> {
  const gitDir = path.join(place.mirrors, createHash('sha256').update(place.topLevel).digest('hex').slice(0, 32));
  const indexFile = path.join(gitDir, `${place.head ?? 'none'}.index`);
  const run: Mirror['git'] = (command) =>
    git.run({ indexFile, ...command, folder: place.topLevel, apart: { gitDir, workTree: place.topLevel } });
  const scope: Scope = { ...place, git, gitDir, indexFile, run };
  try {
    if (!(await exists(indexFile))) {
      const failed = await build(scope);
      if (failed) return failed;
    }
    const now = await fileSystemNow(gitDir);
    await utimes(indexFile, now, now);
    const submodules = (await readFile(linksOf(indexFile), 'utf8')).split('\n').filter(Boolean);
    return {
      type: 'mirror',
      mirror: { git: run, submodules, recordEqual: (paths) => recordEqual(scope, filterSettled(scope, paths, now)) },
    };
  } catch (error) {
    const reason = `The record of the files in ${gitDir} cannot be kept (${(error as Error).message}).`;
    return { type: 'failed', reason, stderr: '', wasCutShort: false };
  }
}

interface Scope extends MirrorPlace {
  readonly git: Git;
  readonly gitDir: string;
  readonly indexFile: string;
  readonly run: Mirror['git'];
}

const linksOf = (indexFile: string) => `${indexFile}.submodules`;

/** For a commit that was not seen before: what the latest index knows of equal files still holds. */
async function build(scope: Scope): Promise<Extract<GitEnd, { type: 'failed' }> | undefined> {
  const { git, gitDir, indexFile, head, topLevel, mirrors } = scope;
  await mkdir(path.join(gitDir, 'objects/info'), { recursive: true, mode: 0o700 });
  await forgetOld(mirrors, await fileSystemNow(gitDir));
  await mkdir(path.join(gitDir, 'refs'), { recursive: true, mode: 0o700 });
  const format = head?.length === 64 ? '\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n' : '';
  await writeFileAtomically(path.join(gitDir, 'config'), `[core]\n\tbare = false\n${format}`);
  await writeFileAtomically(path.join(gitDir, 'objects/info/alternates'), `${await objectStore(git, topLevel)}\n`);
  await writeFileAtomically(path.join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
  const [latest] = await indexesIn(gitDir);
  const made = `${indexFile}.${randomUUID()}`;
  try {
    if (latest !== undefined) await copyFile(latest, made);
    const args = head === undefined ? ['--empty'] : latest === undefined ? [head] : ['-i', '-m', head];
    const read = await scope.run({ args: ['read-tree', ...args], indexFile: made });
    if (read.type === 'failed') return read;
    const submodules: string[] = [];
    const onLine = (line: string) => {
      if (line.startsWith(GITLINK)) submodules.push(line.slice(line.indexOf('\t') + 1));
    };
    const listed = await scope.run({ args: ['ls-files', '--stage'], indexFile: made, onLine });
    if (listed.type === 'failed') return listed;
    await writeFileAtomically(linksOf(indexFile), submodules.join('\n'));
    await rename(made, indexFile);
  } finally {
    await rm(made, { force: true });
  }
  for (const old of (await indexesIn(gitDir)).slice(INDEXES_KEPT)) {
    await rm(old, { force: true });
    await rm(linksOf(old), { force: true });
  }
  return undefined;
}

async function recordEqual(scope: Scope, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const indexFile = `${scope.indexFile}.${randomUUID()}`;
  const ok = async (args: readonly string[], more: Partial<GitCommand>) =>
    (await scope.run({ args, indexFile, ...more })).type === 'done';
  try {
    await copyFile(scope.indexFile, indexFile);
    if (!(await ok(['update-index', '--stdin'], { input: `${paths.join('\n')}\n` }))) return;
    // a file that changed since it was read, or that attributes convert, is entered as something else: put that back
    const other: string[] = [];
    const onLine = (line: string) => {
      const [, mode = '', object = '', file = ''] = /^:(\d+) \d+ (\w+) \w+ \w+\t(.*)$/.exec(line) ?? [];
      if (file !== '') other.push(`${mode} ${object}\t${file}`);
    };
    if (!(await ok(['diff-index', '--cached', '--no-renames', scope.head ?? ''], { onLine }))) return;
    const input = `${other.join('\n')}\n`;
    if (other.length > 0 && !(await ok(['update-index', '--index-info'], { input }))) return;
    await rename(indexFile, scope.indexFile);
  } catch {
    // they are read again next time
  } finally {
    await rm(indexFile, { force: true });
    await rm(`${indexFile}.lock`, { force: true });
  }
}

function filterSettled({ topLevel }: Scope, paths: readonly string[], now: Date): readonly string[] {
  const latest = now.getTime() - SETTLED_MS;
  return paths.filter((one) => {
    const facts = lstatSync(absolutePath(topLevel, one), { throwIfNoEntry: false });
    return facts !== undefined && facts.ctimeMs <= latest;
  });
}

/** By the clock that files are stamped with, before any of them is read: what changes from here on is younger. */
async function fileSystemNow(gitDir: string): Promise<Date> {
  const stamp = path.join(gitDir, `stamp-${randomUUID()}`);
  try {
    await writeFile(stamp, '');
    return (await stat(stamp)).ctime;
  } finally {
    await rm(stamp, { force: true });
  }
}

/** The latest first. */
async function indexesIn(gitDir: string): Promise<readonly string[]> {
  const names = (await readdir(gitDir)).filter((name) => name.endsWith('.index'));
  const files = names.map((name) => path.join(gitDir, name));
  const times = await Promise.all(files.map(async (file) => (await stat(file).catch(() => undefined))?.mtimeMs ?? 0));
  return files.toSorted((a, b) => (times[files.indexOf(b)] ?? 0) - (times[files.indexOf(a)] ?? 0));
}

/** Worktrees come and go, and each has a mirror; one that is still in use is simply made again. */
async function forgetOld(mirrors: string, now: Date): Promise<void> {
  const oldest = now.getTime() - KEPT_DAYS * 86_400_000;
  for (const name of await readdir(mirrors).catch(() => [])) {
    const [latest] = await indexesIn(path.join(mirrors, name)).catch(() => []);
    const usedAt = latest && (await stat(latest).catch(() => undefined))?.mtimeMs;
    if (usedAt && usedAt < oldest) await rm(path.join(mirrors, name), { recursive: true, force: true });
  }
}

const exists = async (file: string) => (await stat(file).catch(() => undefined)) !== undefined;
