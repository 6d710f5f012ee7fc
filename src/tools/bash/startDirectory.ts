import { realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isInside } from '../../permissions/matchPath.ts';
import type { WorkingDirectory } from '../toolContext.ts';

/** Where a command starts: the current directory, or the project's when that one was deleted. */
export async function startDirectory(directory: WorkingDirectory): Promise<{ path: string; note?: string }> {
  const current = directory.current();
  if (current === directory.projectDir || (await isDirectory(current))) return { path: current };
  directory.moveTo(directory.projectDir);
  const note = `The working directory ${current} no longer exists: the command ran in ${directory.projectDir}.`;
  return { path: directory.projectDir, note };
}

/**
 * Moves to the directory where a command ended; back to the project, with a sentence, when that is outside the working
 * folders. `ended` is a real path: a project behind a symbolic link keeps its given name.
 */
export async function followTo(
  directory: WorkingDirectory,
  started: string,
  ended: string,
  workingFolders?: readonly string[],
): Promise<string | undefined> {
  if (ended === '' || ended === started || ended === (await realPath(started)) || !(await isDirectory(ended)))
    return undefined;
  const { projectDir } = directory;
  const realProject = await realPath(projectDir);
  if (isInside(ended, [realProject])) {
    directory.moveTo(join(projectDir, relative(realProject, ended)));
    return undefined;
  }
  const outside = workingFolders !== undefined && !isInside(ended, await Promise.all(workingFolders.map(realPath)));
  directory.moveTo(outside ? projectDir : ended);
  return outside ? `Shell cwd was reset to ${projectDir}` : undefined;
}

function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

async function isDirectory(path: string): Promise<boolean> {
  return await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}
