import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { type TrustRecord, trustRecord } from '../../schemas/trust.ts';
import { writePrivateFile } from '../../system/atomicFile.ts';

/**
 * Which folders' own hooks and settings count, recorded in the person's home. One file per folder, named after its path:
 * two concurrent `stopgate trust` cannot lose each other's answer.
 */
export interface TrustStore {
  /** True when the folder itself was trusted; its parents do not count, since a clone may be anywhere. */
  isTrusted(folder: string): Promise<boolean>;
  trust(folder: string, at: Date): Promise<void>;
  /** False when it was not trusted. */
  forget(folder: string): Promise<boolean>;
  list(): Promise<readonly TrustRecord[]>;
}

export function trustStore(stopgateHome: string): TrustStore {
  const directory = path.join(stopgateHome, 'trust');
  const fileOf = (folder: string) =>
    path.join(directory, `${createHash('sha256').update(folder).digest('hex').slice(0, 32)}.json`);
  const read = async (file: string): Promise<TrustRecord | undefined> => {
    try {
      return trustRecord.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
    } catch {
      // missing or torn: not trusted, which is the safe answer
      return undefined;
    }
  };
  return {
    isTrusted: async (folder) => (await read(fileOf(folder)))?.folder === folder,
    trust: async (folder, at) => {
      const record: TrustRecord = { folder, trustedAt: at.toISOString() };
      await writePrivateFile(fileOf(folder), `${JSON.stringify(record, null, 2)}\n`);
    },
    forget: async (folder) => {
      const known = (await read(fileOf(folder))) !== undefined;
      await rm(fileOf(folder), { force: true });
      return known;
    },
    list: async () => {
      const names = await readdir(directory).catch(() => []);
      const records = await Promise.all(names.map((name) => read(path.join(directory, name))));
      return records.filter((record) => record !== undefined).sort((a, b) => (a.folder < b.folder ? -1 : 1));
    },
  };
}
