import { createHash, randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { MirrorFacts } from '../schemas/mirrorFacts.ts';
import { writeFileAtomically } from '../system/atomicFile.ts';
import { attempt } from '../system/attempt.ts';
import { addCommitted } from './committedFiles.ts';
import { type Git, type GitCommand, GitError, outputOf } from './git.ts';
import { filesOf, isUsual, readFacts, writeFacts } from './mirrorFacts.ts';
import { onDisk } from './onDisk.ts';
import { pathOfEntry } from './privateIndex.ts';
import { absolutePath } from './quotedPath.ts';
import { configText } from './rawGit.ts';
import { openWalkRecord, startWalkRecord, TrackedFolders, type WalkRecord } from './walkRecord.ts';
import { objectStore } from './workTree.ts';

/**
 * A git folder of our own for a user's worktree, outside the repository: no configuration, no exclude lists, only the
 * attributes in the tree, and an index per commit that records which files were read and found equal to that commit.
 * The repository's own index and configuration prove nothing, because an agent can write to them.
 */
export interface Mirror {
  /** Runs git there and returns what it prints. */
  readonly run: (args: readonly string[], more?: Partial<GitCommand>) => Promise<string>;
  readonly facts: MirrorFacts;
  readonly walk: WalkRecord;
  readonly topLevel: string;
  readonly gitDir: string;
  /** The file system's time before any file was read. */
  readonly now: Date;
  /** Files, by quoted path, that only an earlier commit tracked: they count although they are ignored now. */
  readonly former: readonly string[];
  /** Records that these files, by quoted path, equal the commit. After a failure they are read again. */
  recordEqual(paths: readonly string[]): Promise<void>;
}

export interface MirrorPlace {
  /** The folder of all mirrors. */
  readonly mirrors: string;
  readonly topLevel: string;
  readonly head: string | undefined;
}

/** Git compares times by the second, so a file is recorded only when it has not changed for a second. */
const SETTLED_MS = 1_000;
const INDEXES_KEPT = 4;
const KEPT_DAYS = 30;
const GITLINK = '160000';
const LINK = '120000';
const MODE_DIGITS = 6;

export const mirrorFolder = ({ mirrors, topLevel }: Omit<MirrorPlace, 'head'>): string =>
  path.join(mirrors, createHash('sha256').update(topLevel).digest('hex').slice(0, 32));

export async function openMirror(git: Git, place: MirrorPlace): Promise<Mirror> {
  const gitDir = mirrorFolder(place);
  const indexFile = path.join(gitDir, `${place.head ?? 'none'}.index`);
  const own = { indexFile, folder: place.topLevel, apart: { gitDir, workTree: place.topLevel } };
  const run: Mirror['run'] = (args, more) => outputOf(git, { ...own, ...more, args });
  const scope: Scope = { ...place, git, gitDir, indexFile, run };
  try {
    const former = await updateFormer(scope);
    const facts = readFacts(indexFile) ?? (await build(scope));
    if (facts === undefined) throw new Error('another process changes it');
    const now = fileSystemNow(gitDir);
    utimesSync(indexFile, now, now);
    const { topLevel } = place;
    const walk = openWalkRecord({ home: homeOf(place), indexFile, topLevel, now });
    const record: Mirror['recordEqual'] = (paths) => recordEqual({ ...scope, now }, facts, paths);
    return { run, facts, former, walk, topLevel, gitDir, now, recordEqual: record };
  } catch (error) {
    if (error instanceof GitError) throw error;
    throw new Error(`The record of the files in ${gitDir} cannot be kept (${(error as Error).message})`);
  }
}

const homeOf = ({ mirrors }: Pick<MirrorPlace, 'mirrors'>) => path.dirname(mirrors);

interface Scope extends MirrorPlace {
  readonly git: Git;
  readonly gitDir: string;
  readonly indexFile: string;
  readonly run: Mirror['run'];
}

const MAX_FORMER = 5_000;

/**
 * When HEAD has moved, adds files that only the earlier commit tracked and that are still on disk: an agent can commit a
 * rule that ignores source files, and its later changes to them would not show.
 */
async function updateFormer({ gitDir, indexFile, head, topLevel, run }: Scope): Promise<readonly string[]> {
  const file = path.join(gitDir, 'former');
  const known = attempt(() => readFileSync(file, 'utf8'), '')
    .split('\n')
    .filter(Boolean);
  const [latest] = indexesIn(gitDir);
  if (latest === undefined || latest === indexFile || head === undefined) return known;
  const dropped: string[] = [];
  const args = ['diff-index', '--cached', '--name-only', '--no-renames', '--diff-filter=A', head];
  await run(args, { indexFile: latest, onLine: (line) => dropped.push(line) });
  const all = [...new Set([...known, ...(await onDisk(topLevel, dropped))])];
  if (all.length > known.length) await writeFileAtomically(file, all.slice(-MAX_FORMER).join('\n'));
  return all;
}

/** For a new commit. What the latest index records of equal files still holds. */
async function build(scope: Scope): Promise<MirrorFacts | undefined> {
  const { git, gitDir, indexFile, head, topLevel, mirrors } = scope;
  await mkdir(path.join(gitDir, 'objects/info'), { recursive: true, mode: 0o700 });
  await forgetOld(mirrors, fileSystemNow(gitDir));
  await mkdir(path.join(gitDir, 'refs'), { recursive: true, mode: 0o700 });
  await writeFileAtomically(path.join(gitDir, 'config'), configText({ isSha256: head?.length === 64 }));
  await writeFileAtomically(path.join(gitDir, 'objects/info/alternates'), `${await objectStore(git, topLevel)}\n`);
  await writeFileAtomically(path.join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
  const latest = indexesIn(gitDir).find((one) => one !== indexFile);
  const before = latest === undefined ? undefined : readFacts(latest);
  const made = `${indexFile}.${randomUUID()}`;
  try {
    if (latest && before) await copyFile(latest, made);
    const args = head === undefined ? ['--empty'] : before === undefined ? [head] : ['-i', '-m', head];
    await scope.run(['read-tree', ...args], { indexFile: made });
    const facts = { submodules: [] as string[], links: [] as string[], modes: {} as Record<string, number> };
    const committed = createHash('sha256');
    const folders = new TrackedFolders();
    const onLine = (line: string) => {
      const file = pathOfEntry(line);
      folders.add(file);
      addCommitted(committed, line.slice(0, line.indexOf(' ', MODE_DIGITS + 1)), file);
      if (line.startsWith(GITLINK)) facts.submodules.push(file);
      if (line.startsWith(LINK)) facts.links.push(file);
      const mode = before?.modes[file];
      if (mode !== undefined) facts.modes[file] = mode;
    };
    await scope.run(['ls-files', '--stage'], { indexFile: made, onLine });
    startWalkRecord(homeOf(scope), indexFile, folders.paths);
    await writeFacts(indexFile, made, { ...facts, committed: committed.digest('hex') });
    await rename(made, indexFile);
  } finally {
    await rm(made, { force: true });
  }
  for (const old of indexesIn(gitDir).slice(INDEXES_KEPT)) {
    for (const file of filesOf(old)) await rm(file, { force: true });
  }
  return readFacts(indexFile);
}

async function recordEqual(scope: DatedScope, facts: MirrorFacts, paths: readonly string[]): Promise<void> {
  const files = filterSettled(scope, paths);
  if (files.length === 0) return;
  const settled = files.map(pathOf);
  const modes = { ...facts.modes };
  for (const { path: one, permissions } of files) {
    delete modes[one];
    if (!isUsual(permissions)) modes[one] = permissions;
  }
  const indexFile = `${scope.indexFile}.${randomUUID()}`;
  try {
    await copyFile(scope.indexFile, indexFile);
    await scope.run(['update-index', '--stdin'], { indexFile, input: settled });
    // written while git read its times: they may be those of later content too, which git could not tell apart
    const still = filterSettled(scope, settled);
    if (still.length < files.length) return await recordEqual(scope, facts, still.map(pathOf));
    // a file that changed since it was read, or that attributes convert, got another object: restore its entry
    const other: string[] = [];
    const onLine = (line: string) => {
      const [, mode = '', object = '', file = ''] = /^:(\d+) \d+ (\w+) \w+ \w+\t(.*)$/.exec(line) ?? [];
      if (file !== '') other.push(`${mode} ${object}\t${file}`);
    };
    await scope.run(['diff-index', '--cached', '--no-renames', scope.head ?? ''], { indexFile, onLine });
    if (other.length > 0) await scope.run(['update-index', '--index-info'], { indexFile, input: other });
    await writeFacts(scope.indexFile, indexFile, { ...facts, modes });
    await rename(indexFile, scope.indexFile);
  } catch {
    // they are read again next time
  } finally {
    await rm(indexFile, { force: true });
    await rm(`${indexFile}.lock`, { force: true });
  }
}

interface DatedScope extends Scope {
  readonly now: Date;
}

interface SettledFile {
  readonly path: string;
  readonly permissions: number;
}

const pathOf = (file: SettledFile) => file.path;

function filterSettled({ topLevel, now }: DatedScope, paths: readonly string[]): readonly SettledFile[] {
  const latest = now.getTime() - SETTLED_MS;
  return paths.flatMap((one) => {
    const entry = lstatSync(absolutePath(topLevel, one), { throwIfNoEntry: false });
    if (entry === undefined || entry.ctimeMs > latest) return [];
    // a link has no permissions of its own
    return [{ path: one, permissions: entry.isSymbolicLink() ? 0o644 : entry.mode & 0o7777 }];
  });
}

/** The file system's own time, taken before any file is read: later changes have a later time. */
function fileSystemNow(gitDir: string): Date {
  const stamp = path.join(gitDir, `stamp-${randomUUID()}`);
  try {
    writeFileSync(stamp, '');
    return statSync(stamp).ctime;
  } finally {
    rmSync(stamp, { force: true });
  }
}

/** The latest first; none where there is no such folder. */
function indexesIn(gitDir: string): readonly string[] {
  const names = attempt(() => readdirSync(gitDir), []).filter((name) => name.endsWith('.index'));
  const files = names.map((name) => path.join(gitDir, name));
  const times = files.map((file) => attempt(() => statSync(file).mtimeMs, 0));
  return files.toSorted((a, b) => (times[files.indexOf(b)] ?? 0) - (times[files.indexOf(a)] ?? 0));
}

/** Removes mirrors of old worktrees; one that is still in use is created again. */
async function forgetOld(mirrors: string, now: Date): Promise<void> {
  const oldest = now.getTime() - KEPT_DAYS * 86_400_000;
  for (const name of await readdir(mirrors).catch(() => [])) {
    const [latest] = indexesIn(path.join(mirrors, name));
    const usedAt = latest && attempt(() => statSync(latest).mtimeMs, 0);
    if (usedAt && usedAt < oldest) await rm(path.join(mirrors, name), { recursive: true, force: true });
  }
}
