import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type BackgroundRun, backgroundRun } from '../../schemas/backgroundRuns.ts';
import { jsonValue } from '../../schemas/jsonValue.ts';

/** Records decisions; one line is one `write`, so that processes can share the file. */
export interface RunLog {
  append(run: BackgroundRun): void;
}

const MAX_BYTES = 1_000_000;

export const runLogFile = (stopgateHome: string): string => path.join(stopgateHome, 'background.jsonl');
const olderFile = (file: string): string => `${file}.1`;

/** Appends to `background.jsonl`; when it has grown, it replaces the previous `background.jsonl.1`. */
export function fileRunLog(stopgateHome: string, onFailure: (sentence: string) => void, maxBytes = MAX_BYTES): RunLog {
  const file = runLogFile(stopgateHome);
  let failed = false;
  return {
    append: (run) => {
      if (failed) return;
      try {
        mkdirSync(stopgateHome, { recursive: true, mode: 0o700 });
        if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(file, olderFile(file));
        appendFileSync(file, `${JSON.stringify(run)}\n`, { mode: 0o600 });
      } catch (error) {
        failed = true;
        onFailure(`What runs after a turn cannot be recorded in ${file}: ${(error as Error).message}.`);
      }
    },
  };
}

/** All records, oldest first; unreadable lines are skipped. */
export async function readRunLog(stopgateHome: string): Promise<readonly BackgroundRun[]> {
  const file = runLogFile(stopgateHome);
  const texts = await Promise.all([olderFile(file), file].map((one) => readFile(one, 'utf8').catch(() => '')));
  return texts.flatMap((text) => text.split('\n')).flatMap(readLine);
}

function readLine(line: string): BackgroundRun[] {
  const run = backgroundRun.safeParse(jsonValue(line));
  return run.success ? [run.data] : [];
}
