import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { syncFolder, writePrivateFile } from '../../system/atomicFile.ts';
import { attempt } from '../../system/attempt.ts';
import { readTextFileSync } from '../../system/readTextFile.ts';
import type { KeptSettlement } from './settlement.ts';

/** A result is at most as long as a request to a store. */
const LONGEST_BYTES = 17 * 1024 * 1024;

/** Ids of callers may contain anything. */
export const keptFileName = (id: string) =>
  `${/^[\w-]{1,80}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 40)}.json`;

/** One that stays is delivered again, which is harmless. */
export const removeFile = (file: string) => attempt(() => rmSync(file, { force: true }), undefined);

/** Whole and synced, or not at all; never replaces one that is there. */
export async function createDurably(file: string, text: string): Promise<void> {
  const beside = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    await writePrivateFile(beside, text);
    if (!existsSync(file)) linkSync(beside, file);
  } finally {
    removeFile(beside);
  }
  await syncFolder(path.dirname(file));
}

async function readKept(file: string): Promise<KeptSettlement | null> {
  // most of the time there is none, and the schemas are not needed
  if (!existsSync(file)) return null;
  const { keptSettlement } = await import('../../schemas/keptSettlement.ts');
  const read = readTextFileSync(file, LONGEST_BYTES);
  return keptSettlement.safeParse(read.type === 'read' ? jsonValue(read.text) : undefined).data ?? null;
}

/** Null for a settlement of another attempt too: it would be delivered in this one's place, and could not be removed. */
export async function readOwn(file: string): Promise<KeptSettlement | null> {
  const kept = await readKept(file);
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
export async function readFolder(folder: string): Promise<FolderContent> {
  const names = attempt(() => readdirSync(folder), []).filter((name) => name.endsWith('.json'));
  const files = names.map((name) => path.join(folder, name));
  const read = await Promise.all(files.map(async (file) => ({ file, one: await readKept(file) })));
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
export async function setAside(file: string): Promise<string | null> {
  const aside = `${file}.damaged-${randomBytes(4).toString('hex')}`;
  attempt(() => renameSync(file, aside), undefined);
  if (!isThere(aside)) return null;
  const moved = await readKept(aside);
  if (moved === null || !isNamedAfter(moved, file)) return aside;
  // another process put a whole one there in the meantime
  attempt(() => linkSync(aside, file), undefined);
  if (existsSync(file)) removeFile(aside);
  return null;
}
