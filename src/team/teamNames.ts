import { attempt } from '../system/attempt.ts';
/** The queue that a team's tasks are in. */
export const queueOf = (team: string): string => `team-${team}`;

/** With the longest number in front, an id still fits into 64 characters. */
const LONGEST_QUEUE = 50;

/**
 * The store's id of a team's task. It contains the number, so that two concurrent additions cannot get the same one, at the
 * front, so that shortened ids still show it.
 */
export function numberedId(team: string, number: number): string {
  return `${number}.${shortened(queueOf(team))}`;
}

/** The model's name for a task: its number, or the beginning of the id of a task from outside the team. */
export function shortIdOf(team: string, taskId: string): string {
  const number = numberOf(team, taskId);
  if (number !== undefined) return String(number);
  return /^[0-9a-z]{16}$/.test(taskId) ? taskId.slice(0, 8) : taskId;
}

export function numberOf(team: string, taskId: string): number | undefined {
  const [digits = ''] = taskId.split('.', 1);
  if (!/^[1-9]\d{0,8}$/.test(digits)) return undefined;
  return numberedId(team, Number(digits)) === taskId ? Number(digits) : undefined;
}

function shortened(name: string): string {
  if (name.length <= LONGEST_QUEUE) return name;
  let hash = 0x811c9dc5;
  for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return `${name.slice(0, LONGEST_QUEUE - 9)}-${hash.toString(16).padStart(8, '0')}`;
}

/** The holder of a task in the store: one slot per teammate and task, because a worker has one task at a time. */
export interface TeamSlot {
  readonly owner: string;
  /** Who claimed it; differs from the owner of a task that was handed over. */
  readonly by: string;
}

export function slotId(team: string, taskId: string, { owner, by }: TeamSlot): string {
  const names = [owner, ...(by === owner ? [] : [by])].map(encodeURIComponent);
  return [queueOf(team), shortIdOf(team, taskId), ...names].join('/');
}

/** Undefined for workers that are not teammates of this team. */
export function slotOf(team: string, workerId: string): TeamSlot | undefined {
  const [queue, task, owner, by = owner, ...rest] = workerId.split('/');
  if (queue !== queueOf(team) || !task || !owner || !by || rest.length > 0) return undefined;
  return { owner: decoded(owner), by: decoded(by) };
}

const decoded = (name: string): string => attempt(() => decodeURIComponent(name), name);
