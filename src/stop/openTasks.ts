import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readTextFileSync } from '../system/readTextFile.ts';
import { OVER, type Payload, sessionIdOf } from './payload.ts';
import { sessionFile } from './startFile.ts';
import type { GateWorld } from './world.ts';

/** A command that an agent left running, as its host lists it. */
export interface BackgroundCommand {
  readonly name: string;
  readonly command: string;
}

/** What runs in the background of a stop. */
export interface OpenTasks {
  /** Gates wait for those that end, and run beside those that do not. */
  readonly commands: readonly BackgroundCommand[];
  /** Subagents and the like, by id: only the host sees their end, and resumes the session then. */
  readonly others: readonly string[];
}

/** Never fails, whatever a payload holds: an error here would let the stop through. */
const wordOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');

/** Reads `background_tasks` leniently; tasks that are over do not count. */
export function openTasks({ background_tasks: tasks }: Payload): OpenTasks {
  const commands: BackgroundCommand[] = [];
  const others: string[] = [];
  for (const task of Array.isArray(tasks) ? tasks : []) {
    const { type, id, status, command, description } = (task ?? {}) as Payload;
    if (OVER.has(wordOf(status))) continue;
    if (type === 'shell' && typeof command === 'string')
      commands.push({ command, name: wordOf(description) || command });
    else others.push(wordOf(id) || wordOf(description) || wordOf(type));
  }
  return { commands, others };
}

const LARGEST_BYTES = 1_000_000;

/**
 * Whether a stop may wait for other tasks: once for the same tasks. An agent that stops again while none of them ended was not
 * resumed by one, so a task whose end got lost does not switch the gates off.
 */
export function mayDefer(payload: Payload, { others }: OpenTasks, world: Pick<GateWorld, 'stopgateHome'>): boolean {
  const file = sessionFile(world.stopgateHome, 'deferred', sessionIdOf(payload) ?? '');
  const now = JSON.stringify(others.toSorted());
  try {
    const before = readTextFileSync(file, LARGEST_BYTES);
    if (before.type === 'read' && before.text === now) return false;
    if (before.type === 'unreadable') return false;
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, now, { mode: 0o600 });
    return true;
  } catch {
    // it could not be recognized the next time
    return false;
  }
}
