import { stat } from 'node:fs/promises';
import type { WorkingDirectory } from '../toolContext.ts';

export interface StartDirectory {
  readonly path: string;
  readonly note?: string;
}

/** Where a command starts: the current directory, or the project's when that one was deleted. */
export async function startDirectory(directory: WorkingDirectory): Promise<StartDirectory> {
  const current = directory.current();
  if (current === directory.projectDir || (await isDirectory(current))) return { path: current };
  directory.moveTo(directory.projectDir);
  const note = `The working directory ${current} no longer exists: the command ran in ${directory.projectDir}.`;
  return { path: directory.projectDir, note };
}

/** Follows a command to where it ended; a sentence when the owner of the directory did not let it. */
export async function followTo(directory: WorkingDirectory, ended: string): Promise<string | undefined> {
  if (ended === '' || ended === directory.current() || !(await isDirectory(ended))) return undefined;
  directory.moveTo(ended);
  const now = directory.current();
  return now === ended ? undefined : `The working directory was set back to ${now}.`;
}

async function isDirectory(path: string): Promise<boolean> {
  return await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}
