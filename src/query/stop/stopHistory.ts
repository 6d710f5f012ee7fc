import type { ToolUseContext } from '../toolUseContext.ts';
import type { Turn } from '../turn.ts';
import type { StopHookResult } from './stopResult.ts';

/** The earlier stops of a turn. Rises through tool calls and reminders: only a new prompt starts it anew. */
export interface StopHistory {
  /** Stops so far. */
  readonly attempts: number;
  /** Those that hooks of the user sent back. */
  readonly blocks: number;
  /** Of these, in a row: nothing changed between them. */
  readonly unchanged: number;
  /** Of these, in a row: the definition of done was met. */
  readonly afterDone: number;
  /** The state of the work when the last stop was sent back; null when unknown. */
  readonly work: string | null;
  /** What each hook, by its name, gave as reasons; the latest last. */
  readonly reasons: Readonly<Record<string, readonly string[]>>;
}

export const NO_STOPS: StopHistory = { attempts: 0, blocks: 0, unchanged: 0, afterDone: 0, work: null, reasons: {} };

/** The state of the work now: its files and its tasks. Null when unknown. */
export async function workNow(turn: Turn, { toolServices }: ToolUseContext): Promise<string | null> {
  try {
    const files = await turn.deps.progress.fingerprint();
    const tasks = await toolServices.tasks.list();
    const states = tasks.map(({ id, status, owner }) => [id, status, owner]);
    return files === null ? null : JSON.stringify([files, states]);
  } catch {
    return null;
  }
}

/** Whether the work changed since the last stop was sent back; null when that is unknown. */
export const changedSince = ({ work }: Pick<StopHistory, 'work'>, now: string | null): boolean | null =>
  work === null || now === null ? null : work !== now;

export interface SentBack {
  readonly result: StopHookResult;
  readonly changed: boolean | null;
  readonly isDone: boolean;
  /** Afterwards: hooks may have written files. */
  readonly work: string | null;
  /** Only our own gates objected, or nothing but a background hook woke the turn. */
  readonly isOwn: boolean;
}

const REASONS_KEPT = 5;
const LONGEST_REASON = 500;

/** The history with a stop that was sent back. */
export function afterBlock(history: StopHistory, { result, changed, isDone, work, isOwn }: SentBack): StopHistory {
  const counted = isOwn
    ? {}
    : {
        blocks: history.blocks + 1,
        unchanged: changed === false ? history.unchanged + 1 : 0,
        afterDone: isDone ? history.afterDone + 1 : 0,
      };
  const reasons = { ...history.reasons };
  for (const [at, hook] of result.blockedBy.entries()) {
    const reason = (result.blockReasons[at] ?? '').slice(0, LONGEST_REASON);
    reasons[hook] = [...(Object.hasOwn(reasons, hook) ? (reasons[hook] ?? []) : []), reason].slice(-REASONS_KEPT);
  }
  return { ...history, ...counted, attempts: history.attempts + 1, work, reasons };
}
