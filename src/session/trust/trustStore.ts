import { hash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { keptTexts, type TrustedContent, type TrustRecord, trustRecord } from '../../schemas/trust.ts';
import { writePrivateFile } from '../../system/atomicFile.ts';
import { textIn } from '../../system/readTextFile.ts';
import { approvalsOf, withApproval } from './approvals.ts';

/**
 * What people approved of folders, recorded in their home. One file per folder, named after its path: two concurrent
 * `stopgate trust` cannot lose each other's answer. The texts of approved files are beside it, since only a difference
 * needs them.
 */
export interface TrustStore {
  /** The record of the folder itself; its parents do not count, since a clone may be anywhere. */
  read(folder: string): TrustRecord | null;
  /** In addition to earlier ones. */
  approve(approval: NewApproval): Promise<void>;
  /** Texts of approved files by digest, as far as they were kept. */
  texts(folder: string): Readonly<Record<string, string>>;
  /** False when it was not trusted. */
  forget(folder: string): Promise<boolean>;
  list(): Promise<readonly TrustRecord[]>;
  fileOf(folder: string): string;
}

interface NewApproval {
  readonly folder: string;
  readonly at: Date;
  readonly content: TrustedContent;
  readonly texts: Readonly<Record<string, string>>;
}

const LARGEST_BYTES = 20_000_000;

export function trustStore(stopgateHome: string): TrustStore {
  const directory = path.join(stopgateHome, 'trust');
  const nameOf = (folder: string) => hash('sha256', folder).slice(0, 32);
  const fileOf = (folder: string) => path.join(directory, `${nameOf(folder)}.json`);
  const textsOf = (folder: string) => path.join(directory, `${nameOf(folder)}.texts`);
  const read = (folder: string) => {
    const record = readRecord(fileOf(folder));
    return record?.folder === folder ? record : null;
  };
  const readTexts = (folder: string) =>
    keptTexts.safeParse(jsonValue(textIn(textsOf(folder), LARGEST_BYTES))).data ?? {};
  return {
    read,
    fileOf,
    texts: readTexts,
    approve: async ({ folder, at, content, texts }) => {
      const record = withApproval(read(folder), { folder, trustedAt: at.toISOString(), content });
      const kept = textsFor(record, { ...readTexts(folder), ...texts });
      // a record without its texts still decides; the other way around nothing would be approved
      await writePrivateFile(textsOf(folder), `${JSON.stringify(kept)}\n`);
      await writePrivateFile(fileOf(folder), `${JSON.stringify(record)}\n`);
    },
    forget: async (folder) => {
      const known = read(folder) !== null;
      await Promise.all([fileOf(folder), textsOf(folder)].map((file) => rm(file, { force: true })));
      return known;
    },
    list: async () => {
      const names = await readdir(directory).catch(() => []);
      const records = names
        .filter((name) => name.endsWith('.json'))
        .map((name) => readRecord(path.join(directory, name)));
      return records.filter((record) => record !== null).sort((a, b) => (a.folder < b.folder ? -1 : 1));
    },
  };
}

const MOST_TEXT = 8_000_000;

/** The texts that differences to these approvals need, those of the latest first, as far as there is room. */
function textsFor(record: TrustRecord, texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const digests = approvalsOf(record).flatMap(({ content }) =>
    Object.values(content.files).flatMap((file) => (file.is === 'file' ? [file.digest] : [])),
  );
  let left = MOST_TEXT;
  const kept = [...new Set(digests)].flatMap((digest): [string, string][] => {
    const text = Object.hasOwn(texts, digest) ? texts[digest] : undefined;
    if (text === undefined || text.length > left) return [];
    left -= text.length;
    return [[digest, text]];
  });
  return Object.fromEntries(kept);
}

/** Missing or torn: not trusted, which is the safe answer. */
const readRecord = (file: string): TrustRecord | null =>
  trustRecord.safeParse(jsonValue(textIn(file, LARGEST_BYTES))).data ?? null;
