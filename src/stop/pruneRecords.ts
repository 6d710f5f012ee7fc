import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../system/attempt.ts';

interface RecordFile {
  readonly file: string;
  readonly writtenAt: number;
}

/** Oldest first. */
export function listFiles(folder: string): readonly RecordFile[] {
  const names = attempt(() => readdirSync(folder), []).filter((name) => /\.jsonl?$/.test(name));
  const files = names.flatMap((name) => {
    const file = path.join(folder, name);
    const facts = statSync(file, { throwIfNoEntry: false });
    return facts?.isFile() ? [{ file, writtenAt: facts.mtimeMs }] : [];
  });
  return files.toSorted((a, b) => a.writtenAt - b.writtenAt);
}

const KEPT_DAYS = 90;
const MOST_FILES = 5_000;
const DAY_MS = 86_400_000;

/** Which of these are removed: those of long ago, and the oldest of too many. */
export function decidePruned(files: readonly RecordFile[], now: number): readonly RecordFile[] {
  const tooMany = files.length - MOST_FILES;
  return files.filter(({ writtenAt }, index) => index < tooMany || writtenAt < now - KEPT_DAYS * DAY_MS);
}

/** Removes old records, at most once a day. A failure is not worth a word: the next day tries again. */
export function pruneRecords(folders: readonly string[], now: number): void {
  for (const folder of folders) {
    const mark = path.join(folder, '.pruned');
    try {
      if (now - (statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0) < DAY_MS) continue;
      writeFileSync(mark, '', { mode: 0o600 });
      utimesSync(mark, now / 1000, now / 1000);
      for (const { file } of decidePruned(listFiles(folder), now)) rmSync(file, { force: true });
    } catch {}
  }
}
