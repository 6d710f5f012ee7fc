import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isObject, jsonValue } from '../schemas/jsonValue.ts';
import { writePrivateFile } from '../system/atomicFile.ts';
import { textIn } from '../system/readTextFile.ts';
import { type GateEnding, notArmedEnding } from './ending.ts';
import type { ArmedStart } from './sinceStart.ts';

/** By session alone: when the agent deletes the configuration, its folder is no longer known. */
export const sessionFile = (
  stopgateHome: string,
  kind: 'starts' | 'frozen' | 'waivers' | 'deferred' | 'stops' | 'marks' | 'pieces',
  session: string,
): string => recordFile(path.join(stopgateHome, 'gates', kind), session, '.json');

/** The file about a session in a folder; an id that cannot be a file name is hashed. */
export function recordFile(folder: string, session: string, extension: string): string {
  // a stop without checks reads such a file too, and loading node:crypto would take longer than the rest of it
  const isName = /^[\w-]{1,64}$/.test(session);
  const name = isName ? session : `.${hash('sha256', session).slice(0, 32)}`;
  return path.join(folder, `${name}${extension}`);
}

const startFile = (stopgateHome: string, session: string) => sessionFile(stopgateHome, 'starts', session);

const LARGEST_BYTES = 10_000_000;

/** Records the checks that a session began with. */
export async function writeStart(stopgateHome: string, session: string, start: ArmedStart): Promise<void> {
  const file = startFile(stopgateHome, session);
  const stored = { file: start.file, checks: start.checks, said: start.configured };
  await writePrivateFile(file, `${JSON.stringify(stored)}\n`);
}

/** Null when the session began without checks, or before Stopgate watched it. */
export function readStart(stopgateHome: string, session: string | null): ArmedStart | null {
  if (session === null) return null;
  // a pipe in its place would never end
  const value = jsonValue(textIn(startFile(stopgateHome, session), LARGEST_BYTES));
  const { file, checks, said } = isObject(value) ? value : {};
  const isWhole = typeof file === 'string' && Array.isArray(checks) && Array.isArray(said);
  return isWhole ? { file, checks, configured: said } : null;
}

/** The name in the ledger of a task that a plain command does: each has a receipt of its own. */
export const taskSession = ({ taskId, epoch }: { readonly taskId: string; readonly epoch: number }): string =>
  `task-${taskId}-${epoch}`;

/** The name for a worker's completions: separate from its agent's stops, which have their own limits. */
export const completionSession = (worker: { readonly workerId: string; readonly incarnation: number }): string =>
  `completions of ${worker.workerId} ${worker.incarnation}`;

/** For a session that began with a configuration which no longer applies to its folder. */
export const goneEnding = (file: string): GateEnding =>
  notArmedEnding(
    existsSync(file) ? `${file} no longer applies to this folder` : `${file} was deleted during this session`,
  );
