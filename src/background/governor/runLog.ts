import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type BackgroundRun, backgroundRun } from '../../schemas/backgroundRuns.ts';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { appendToLog } from '../../system/lineFile.ts';

/** Records decisions; one line is one `write`, so that processes can share the file. */
export interface RunLog {
  append(run: BackgroundRun): void;
}

const MAX_BYTES = 1_000_000;

export const runLogFile = (stopgateHome: string): string => path.join(stopgateHome, 'background.jsonl');

/** Appends to `background.jsonl`; when it has grown, it replaces the previous `background.jsonl.1`. */
export function fileRunLog(stopgateHome: string, onFailure: (sentence: string) => void, maxBytes = MAX_BYTES): RunLog {
  const file = runLogFile(stopgateHome);
  let failed = false;
  return {
    append: (run) => {
      if (failed) return;
      try {
        appendToLog(file, run, maxBytes);
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
  const texts = await Promise.all([`${file}.1`, file].map((one) => readFile(one, 'utf8').catch(() => '')));
  return texts.flatMap((text) => text.split('\n')).flatMap(readLine);
}

function readLine(line: string): BackgroundRun[] {
  const run = backgroundRun.safeParse(jsonValue(line));
  return run.success ? [run.data] : [];
}
