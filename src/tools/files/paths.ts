import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { ToolContext } from '../toolContext.ts';

type Where = Pick<ToolContext, 'directory' | 'env'>;

/** A path as the model wrote it, made absolute: from the current directory, or from home after `~/`. */
export function absolutePath(written: string, { directory, env }: Where): string {
  const path = written.trim();
  const home = env.HOME;
  if (home && (path === '~' || path.startsWith('~/'))) return join(home, path.slice(1));
  return resolve(directory.current(), path);
}

/** For tools that name one file: the input with that file's absolute path. */
export function withAbsoluteFile<Input extends { readonly file_path: string }>(input: Input, where: Where): Input {
  return { ...input, file_path: absolutePath(input.file_path, where) };
}

/** For searches: the folder, where one is named. */
export function withAbsoluteFolder<Input extends { readonly path?: string | undefined }>(
  input: Input,
  where: Where,
): Input {
  return input.path === undefined ? input : { ...input, path: absolutePath(input.path, where) };
}

/**
 * The path that rules are asked about: the one that was written, unless it looks as if it were in the project and a
 * symbolic link leads out of it. Then it is where it leads.
 */
export function pathForRules(path: string, where: Where): string {
  const absolute = absolutePath(path, where);
  const { projectDir } = where.directory;
  if (!isInside(absolute, projectDir)) return absolute;
  const real = realPathSoFar(absolute);
  return isInside(real, realPathSoFar(projectDir)) ? absolute : real;
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The real path of what exists, with what does not exist yet appended; a link to nothing yet is followed too. */
function realPathSoFar(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || links > 40) return path;
    const realParent = realPathSoFar(parent, links);
    const target = linkTarget(join(realParent, basename(path)));
    return target === null ? join(realParent, basename(path)) : realPathSoFar(resolve(realParent, target), links + 1);
  }
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
