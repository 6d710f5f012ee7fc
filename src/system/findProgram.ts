import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { attempt } from './attempt.ts';

/** The system's default without `PATH`. */
const USUAL_PATH = '/bin:/usr/bin';

/** The file that would be started under this name, by a `PATH`; null when there is no executable one. */
export function findProgram(name: string, cwd: string, searchPath = USUAL_PATH): string | null {
  const folders = name.includes('/') ? ['.'] : searchPath.split(path.delimiter);
  return folders.map((folder) => path.resolve(cwd, folder, name)).find(isProgram) ?? null;
}

const isProgram = (file: string): boolean =>
  attempt(() => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  }, false);
