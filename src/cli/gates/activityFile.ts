import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { AgentActivity } from '../../fleet/worker/watchForStall.ts';

/**
 * What an agent's hooks write for whoever supervises it: one letter at the beginning and one at the end of each tool call, as
 * landing.sh and budget-countdown.sh do without Node, and of each question at a stop, which waits for checks. That the file is
 * there at all says that the hooks run.
 */
const MARKS = { toolBegan: 's', toolEnded: 'e', stopBegan: 'S', stopEnded: 'E' } as const;

export type ActivityMark = keyof typeof MARKS;

/** What cannot be written is not told: no hook may fail for it. */
export function markActivity(file: string | null | undefined, mark?: ActivityMark): void {
  if (!file) return;
  try {
    appendFileSync(file, mark === undefined ? '' : MARKS[mark]);
  } catch {}
}

/** From here on it is told anew; being there, it still says that hooks run. */
export function clearActivity(file: string | null): void {
  if (file === null) return;
  try {
    writeFileSync(file, '');
  } catch {}
}

/** Whether a tool ran since it was cleared; of an agent that cannot tell, it is believed. */
export function hasUsedTool(file: string | null): boolean {
  return file === null || marksIn(file).includes(MARKS.toolEnded);
}

/** Null: nothing tells when this agent gets on. */
export function readActivity(file: string): AgentActivity | null {
  const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (at === undefined) return null;
  const marks = marksIn(file);
  const count = (...letters: readonly string[]) => [...marks].filter((letter) => letters.includes(letter)).length;
  // a call that was denied has a beginning and no end; then it is given the longer time, which is the lesser evil
  const isBusy = count(MARKS.toolBegan, MARKS.stopBegan) > count(MARKS.toolEnded, MARKS.stopEnded);
  return { at, isBusy };
}

function marksIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
