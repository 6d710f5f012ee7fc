import { hash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { syncFolder, writePrivateFile } from '../../system/atomicFile.ts';
import { attempt } from '../../system/attempt.ts';
import { readSealedFileSync, sealedText } from '../../system/sealedFile.ts';
import type { KeptSettlement } from './settlement.ts';

/** Ids of callers may contain anything. */
export const keptFileName = (id: string) => `${/^[\w-]{1,80}$/.test(id) ? id : hash('sha256', id).slice(0, 40)}.json`;

/** One that stays is delivered again, which is harmless. */
export const removeFile = (file: string) => attempt(() => rmSync(file, { force: true }), undefined);

/** Whole, sealed and synced, or not at all; never replaces one that is there. */
export async function createDurably(home: string, file: string, text: string): Promise<void> {
  const beside = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    await writePrivateFile(beside, sealedText(home, file, text));
    if (!existsSync(file)) linkSync(beside, file);
  } finally {
    removeFile(beside);
  }
  await syncFolder(path.dirname(file));
}

/** Null for one that has no seal of ours: an agent could complete any task with it. */
async function readKept(home: string, file: string, as = file): Promise<KeptSettlement | null> {
  // most of the time there is none, and the schemas are not needed
  if (!existsSync(file)) return null;
  const { keptSettlement } = await import('../../schemas/keptSettlement.ts');
  const read = readSealedFileSync(home, file, as);
  return keptSettlement.safeParse(read.type === 'sealed' ? jsonValue(read.text) : undefined).data ?? null;
}

/** Null for a settlement of another attempt too: it would be delivered in this one's place, and could not be removed. */
export async function readOwn(home: string, file: string): Promise<KeptSettlement | null> {
  const kept = await readKept(home, file);
  return kept !== null && isNamedAfter(kept, file) ? kept : null;
}

const isNamedAfter = ({ request }: KeptSettlement, file: string) =>
  keptFileName(request.lease.attemptId) === path.basename(file);

export interface FolderContent {
  readonly kept: readonly KeptSettlement[];
  /** A settlement under the name of another attempt. */
  readonly misnamed: readonly string[];
  readonly unreadable: readonly string[];
}

/** Settlements oldest first. */
export async function readFolder(home: string, folder: string): Promise<FolderContent> {
  const names = attempt(() => readdirSync(folder), []).filter((name) => name.endsWith('.json'));
  const files = names.map((name) => path.join(folder, name));
  const read = await Promise.all(files.map(async (file) => ({ file, one: await readKept(home, file) })));
  const found = read.flatMap(({ file, one }) => (one === null ? [] : [{ file, one }]));
  return {
    kept: found
      .filter(({ file, one }) => isNamedAfter(one, file))
      .map(({ one }) => one)
      .toSorted((one, other) => one.keptAt - other.keptAt),
    misnamed: found.filter(({ file, one }) => !isNamedAfter(one, file)).map(({ file }) => file),
    // one that is gone by now was delivered
    unreadable: read.filter(({ file, one }) => one === null && isThere(file)).map(({ file }) => file),
  };
}

export const isThere = (file: string) => attempt(() => lstatSync(file), undefined) !== undefined;

/** Moves a file that is not a settlement of its name out of the way; returns where to, or null when nothing was moved. */
export async function setAside(home: string, file: string): Promise<string | null> {
  const aside = `${file}.damaged-${randomBytes(4).toString('hex')}`;
  attempt(() => renameSync(file, aside), undefined);
  if (!isThere(aside)) return null;
  const moved = await readKept(home, aside, file);
  if (moved === null || !isNamedAfter(moved, file)) return aside;
  // another process put a whole one there in the meantime
  attempt(() => linkSync(aside, file), undefined);
  if (existsSync(file)) removeFile(aside);
  return null;
}
