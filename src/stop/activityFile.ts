import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { AgentActivity } from '../fleet/worker/watchForStall.ts';

/**
 * What an agent's hooks write for its supervisor: one letter at the beginning of each tool call and one at the end of each
 * batch of calls, as landing.sh and budget-countdown.sh do without Node, and at the beginning and the end of each question at
 * a stop, which waits for checks. That the file is there at all says that the hooks run.
 */
const MARKS = { toolBegan: 's', toolsEnded: 'e', stopBegan: 'S', stopEnded: 'E' } as const;

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
  return file === null || marksIn(file).includes(MARKS.toolsEnded);
}

/** Null: nothing tells when this agent gets on. */
export function readActivity(file: string): AgentActivity | null {
  const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (at === undefined) return null;
  const marks = marksIn(file);
  const isOpen = (began: string, ended: string) => marks.lastIndexOf(began) > marks.lastIndexOf(ended);
  // the end of a subagent's batch hides that a tool of its parent runs; silence is then measured from that end
  return { at, isBusy: isOpen(MARKS.toolBegan, MARKS.toolsEnded) || isOpen(MARKS.stopBegan, MARKS.stopEnded) };
}

/** Whether a stop was asked for and has no answer: ending the agent now interrupts its checks. */
export function isStopOpen(file: string): boolean {
  const marks = marksIn(file);
  return marks.lastIndexOf(MARKS.stopBegan) > marks.lastIndexOf(MARKS.stopEnded);
}

function marksIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
