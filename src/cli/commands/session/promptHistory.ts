import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { jsonValue } from '../../../schemas/jsonValue.ts';
import { readTextFileSync } from '../../../system/readTextFile.ts';

const MAX_BYTES = 2_000_000;
const MOST = 500;

/** The prompts that were typed in a project, across sessions. */
export interface PromptHistory {
  /** Oldest first. */
  all(): readonly string[];
  add(prompt: string): void;
}

/** `keeps`: false writes nothing to disk. */
export function promptHistory(sessionsDir: string, keeps: boolean): PromptHistory {
  // not `.jsonl`: in this folder that is a session
  const file = path.join(sessionsDir, 'prompts.txt');
  let prompts: readonly string[] | undefined;
  const all = () => {
    prompts ??= read(file);
    return prompts;
  };
  return {
    all,
    add: (prompt) => {
      prompts = [...all().filter((one) => one !== prompt), prompt].slice(-MOST);
      if (!keeps) return;
      try {
        mkdirSync(sessionsDir, { recursive: true, mode: 0o700 });
        appendFileSync(file, `${JSON.stringify(prompt)}\n`, { mode: 0o600 });
      } catch {
        // the transcript has it too
      }
    },
  };
}

function read(file: string): readonly string[] {
  const found = readTextFileSync(file, MAX_BYTES);
  if (found.type !== 'read') return [];
  const lines = found.text.split('\n').flatMap((line) => {
    const prompt = jsonValue(line);
    return typeof prompt === 'string' ? [prompt] : [];
  });
  // the latest use counts
  return [...new Set(lines.toReversed())].toReversed().slice(-MOST);
}
