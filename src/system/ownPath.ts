import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { folderOrItsPlace } from './currentFolder.ts';
import { findProgram } from './findProgram.ts';
import { realPath } from './realPath.ts';

/** For use when no other entry is left. */
const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin';

/**
 * The search path for programs that Stopgate itself starts in a folder (git, perl, ps, stty): without relative entries and
 * without folders of the project, because a repository could contain a program of that name.
 */
export function ownPath(searchPath: string | undefined, folder: string): string {
  // a worktree or a submodule may be outside the project of the current folder
  const projects = [...new Set([folder, folderOrItsPlace(process.env)].map((one) => realPath(projectRoot(one))))];
  const kept = (searchPath ?? USUAL_PATH).split(path.delimiter).filter((entry) => {
    if (!path.isAbsolute(entry)) return false;
    const names = [path.resolve(entry), realPath(entry)];
    return !projects.some((project) => names.some((name) => isInside(name, project)));
  });
  return kept.length > 0 ? kept.join(path.delimiter) : USUAL_PATH;
}

/** The file of a program that Stopgate itself starts; its bare name when it is not found, so that the start fails. */
export function ownProgram(name: string, searchPath: string | undefined, folder: string): string {
  return findProgram(name, '/', ownPath(searchPath, folder)) ?? name;
}

/**
 * The outermost repository that a folder is in, else the folder itself. A home folder that is a repository (dotfiles) does
 * not count.
 */
function projectRoot(folder: string): string {
  const start = path.resolve(folder);
  const home = homedir();
  let root = start;
  for (let at = start; path.dirname(at) !== at; at = path.dirname(at)) {
    if (at !== home && existsSync(path.join(at, '.git'))) root = at;
  }
  return root;
}

/** A project at the root folder contains no entry, or none would be left. */
const isInside = (entry: string, project: string) =>
  project !== path.parse(project).root && (entry === project || entry.startsWith(`${project}${path.sep}`));
