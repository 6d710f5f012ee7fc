import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { writePrivateFile } from '../../../system/atomicFile.ts';

/** The text that was typed and not sent, one file per folder: a crash must not lose it. */
export interface Drafts {
  read(): Promise<string>;
  /** Written in the background, the latest text last. */
  keep(text: string): void;
  /** Resolves when the latest text is written. */
  kept(): Promise<void>;
}

export function drafts(sessionsDir: string): Drafts {
  const file = path.join(sessionsDir, 'draft.txt');
  let latest: string | undefined;
  let writing = Promise.resolve();
  const write = async () => {
    const text = latest;
    if (text === undefined) return;
    latest = undefined;
    try {
      if (text === '') return await rm(file, { force: true });
      await mkdir(sessionsDir, { recursive: true, mode: 0o700 });
      await writePrivateFile(file, text);
    } catch {
      // it is still on the screen
    }
  };
  return {
    read: () => readFile(file, 'utf8').catch(() => ''),
    keep: (text) => {
      const isQueued = latest !== undefined;
      latest = text;
      if (!isQueued) writing = writing.then(write);
    },
    kept: () => writing,
  };
}
