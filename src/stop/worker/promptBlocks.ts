import { appendFileSync, statSync } from 'node:fs';
import { attempt } from '../../system/attempt.ts';
import type { Environment } from '../../system/environment.ts';
import { ACTIVITY_FILE } from './workerIdentity.ts';

/*
 * Some hosts heed only so many blocks of a stop in one prompt, whatever happens between them. A task that is handed over in a
 * later one would be lost, so the hooks of a worker's agent count them.
 */

/** How many its host heeds; unset for a host that heeds them all. */
export const PROMPT_BLOCKS = 'STOPGATE_PROMPT_BLOCKS';

/** Beside the agent's activity file, one byte for each. */
export const blocksFile = (activityFile: string): string => `${activityFile}.blocks`;

/** Errors are ignored: no hook may fail because of this file. */
export function countBlock(env: Environment): void {
  const file = env[ACTIVITY_FILE];
  if (file && env[PROMPT_BLOCKS]) attempt(() => appendFileSync(blocksFile(file), 'b'), undefined);
}

/** Whether the next block would be ignored. */
export function areBlocksSpent(env: Environment): boolean {
  const [file, most] = [env[ACTIVITY_FILE], Number(env[PROMPT_BLOCKS])];
  if (!file || !(most > 0)) return false;
  return (statSync(blocksFile(file), { throwIfNoEntry: false })?.size ?? 0) >= most;
}
