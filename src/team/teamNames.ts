/** The queue that a team's tasks are in. */
export const queueOf = (team: string): string => `team-${team}`;

/** With the longest number before it an id still fits into the 64 characters that ids have. */
const LONGEST_QUEUE = 50;

/**
 * The store's id of a team's task. The number is part of it, so that two who add at once can never both have it, and in
 * front, so that lists of shortened ids still show it.
 */
export function numberedId(team: string, number: number): string {
  return `${number}.${shortened(queueOf(team))}`;
}

/** What the model calls a task: its number; of tasks that others put into the queue, what `task list` shows of their id. */
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

/** Who holds a task in the store: a slot for each teammate and task, because a worker has one task at a time. */
export interface TeamSlot {
  readonly owner: string;
  /** Who claimed it; another one than the owner when it was handed to them. */
  readonly by: string;
}

export function slotId(team: string, taskId: string, { owner, by }: TeamSlot): string {
  const names = [owner, ...(by === owner ? [] : [by])].map(encodeURIComponent);
  return [queueOf(team), shortIdOf(team, taskId), ...names].join('/');
}

/** Undefined for workers that are no teammates of this team. */
export function slotOf(team: string, workerId: string): TeamSlot | undefined {
  const [queue, task, owner, by = owner, ...rest] = workerId.split('/');
  if (queue !== queueOf(team) || !task || !owner || !by || rest.length > 0) return undefined;
  return { owner: decoded(owner), by: decoded(by) };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
