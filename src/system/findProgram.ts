import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

export interface ProgramPlace {
  /** Where it would be started. */
  readonly cwd: string;
  /** As `PATH` has it. */
  readonly searchPath: string | undefined;
}

/** What the system looks through when there is no `PATH`. */
const USUAL_PATH = '/bin:/usr/bin';

/** The file that would be started under this name; null when there is none, or none that may be executed. */
export function findProgram(name: string, { cwd, searchPath = USUAL_PATH }: ProgramPlace): string | null {
  const folders = name.includes('/') ? ['.'] : searchPath.split(path.delimiter);
  return folders.map((folder) => path.resolve(cwd, folder, name)).find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
