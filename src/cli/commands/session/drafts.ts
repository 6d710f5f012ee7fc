import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../../system/attempt.ts';
import { isSameProcess, startOfProcess } from '../../../system/processLife.ts';
import { textIn } from '../../../system/readTextFile.ts';

/** What was typed and not sent, in one file per process: a crash must not lose it. */
export interface Drafts {
  /** What a session that died left behind; empty when nothing. It is this session's from now on. */
  takeOver(): string;
  /** On disk when it returns. */
  keep(text: string): void;
}

const MAX_BYTES = 4_000_000;
/** The process that keeps it, with its start: an id is used again. */
const NAME = /^draft-(\d+)(?:-([\w@]+))?\.txt$/;

export function drafts(sessionsDir: string, pid = process.pid): Drafts {
  const start = startOfProcess(pid);
  const own = path.join(sessionsDir, `draft-${pid}${start === undefined ? '' : `-${start}`}.txt`);
  return {
    takeOver: () => {
      const [latest] = leftBehind(sessionsDir, own);
      if (latest === undefined) return '';
      const text = textIn(latest, MAX_BYTES);
      // another session may be faster
      return attempt(() => renameSync(latest, own), null) === null ? '' : text;
    },
    keep: (text) => {
      try {
        if (text === '') return rmSync(own, { force: true });
        mkdirSync(sessionsDir, { recursive: true, mode: 0o700 });
        writeFileSync(`${own}.new`, text, { mode: 0o600 });
        renameSync(`${own}.new`, own);
      } catch {
        // it is still on the screen
      }
    },
  };
}

/** Drafts whose process is gone, the latest first. */
function leftBehind(sessionsDir: string, own: string): string[] {
  const names = attempt(() => readdirSync(sessionsDir), []).filter((name) => {
    const [, owner, startedAt] = NAME.exec(name) ?? [];
    return owner !== undefined && name !== path.basename(own) && !isSameProcess(Number(owner), startedAt);
  });
  const files = names.map((name) => path.join(sessionsDir, name));
  return files.sort((a, b) => timeOf(b) - timeOf(a));
}

const timeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
