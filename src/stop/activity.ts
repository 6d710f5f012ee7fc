import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { AgentActivity } from '../fleet/worker/watchForStall.ts';
import { attempt } from '../system/attempt.ts';

/**
 * What an agent's hooks write for its supervisor: one letter when a tool call or a stop begins and one when it ends, as
 * landing.sh and budget-countdown.sh do without Node. A file that exists shows that the hooks run.
 */
const MARKS = { toolBegan: 's', toolsEnded: 'e', stopBegan: 'S', stopEnded: 'E' } as const;

export type ActivityMark = keyof typeof MARKS;

/** Errors are ignored: no hook may fail because of this file. */
export function markActivity(file: string | null | undefined, mark?: ActivityMark): void {
  if (!file) return;
  attempt(() => appendFileSync(file, mark === undefined ? '' : MARKS[mark]), undefined);
}

/** Empties the file but leaves it there: it still shows that hooks run. */
export function clearActivity(file: string | null): void {
  if (file === null) return;
  attempt(() => writeFileSync(file, ''), undefined);
}

/** Whether a tool ran since the file was cleared; assumed for an agent without such a file. */
export function hasUsedTool(file: string | null): boolean {
  return file === null || marksIn(file).includes(MARKS.toolsEnded);
}

/** Whether a tool was called at all; null when no hook of this agent reports. */
export function sawToolCall(file: string): boolean | null {
  if (!existsSync(file)) return null;
  const marks = marksIn(file);
  return marks.includes(MARKS.toolBegan) || marks.includes(MARKS.toolsEnded);
}

/** Null when no hook of this agent reports its progress. */
export function readActivity(file: string): AgentActivity | null {
  const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (at === undefined) return null;
  const marks = marksIn(file);
  // the end of a subagent's batch hides that a tool of its parent runs; silence is then measured from that end
  return { at, isBusy: isOpen(marks, 'toolBegan', 'toolsEnded') || isOpen(marks, 'stopBegan', 'stopEnded') };
}

/** Whether a stop is still being checked: ending the agent now interrupts its checks. */
export const isStopOpen = (file: string): boolean => isOpen(marksIn(file), 'stopBegan', 'stopEnded');

const isOpen = (marks: string, began: ActivityMark, ended: ActivityMark) =>
  marks.lastIndexOf(MARKS[began]) > marks.lastIndexOf(MARKS[ended]);

const marksIn = (file: string): string => attempt(() => readFileSync(file, 'utf8'), '');
