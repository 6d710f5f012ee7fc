import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from './findProgram.ts';

/** Where programs are when nothing else is left to search. */
const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin';

/**
 * The search path for programs that Stopgate itself starts in a folder (git, perl, ps, stty): without relative entries and
 * without those inside the project, where a repository could have put a program of that name.
 */
export function ownPath(searchPath: string | undefined, folder: string): string {
  const project = realOf(projectRoot(folder));
  const kept = (searchPath ?? USUAL_PATH).split(path.delimiter).filter((entry) => {
    return path.isAbsolute(entry) && !isInside(path.resolve(entry), project) && !isInside(realOf(entry), project);
  });
  return kept.length > 0 ? kept.join(path.delimiter) : USUAL_PATH;
}

/** The file of a program that Stopgate itself starts; its bare name when it is not found, so that the start says so. */
export function ownProgram(name: string, searchPath: string | undefined, folder: string): string {
  return findProgram(name, { cwd: '/', searchPath: ownPath(searchPath, folder) }) ?? name;
}

/** The nearest folder upward that is a repository, else the folder itself. */
function projectRoot(folder: string): string {
  const start = path.resolve(folder);
  for (let at = start; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return at;
    if (path.dirname(at) === at) return start;
  }
}

/** Nothing is inside the root folder in this sense: otherwise no entry would be left. */
const isInside = (entry: string, project: string) =>
  project !== path.parse(project).root && (entry === project || entry.startsWith(`${project}${path.sep}`));

function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}
