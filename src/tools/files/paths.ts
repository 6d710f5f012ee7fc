import { join, resolve } from 'node:path';
import { makeRealPath } from '../../permissions/makeRealPath.ts';
import { isInside } from '../../permissions/matchPath.ts';
import type { ToolContext } from '../toolContext.ts';

type Where = Pick<ToolContext, 'directory' | 'env'>;

/** The absolute path of what the model wrote: from the current directory, or from home after `~/`. */
export function absolutePath(written: string, { directory, env }: Where): string {
  const path = written.trim();
  const home = env.HOME;
  if (home && (path === '~' || path.startsWith('~/'))) return join(home, path.slice(1));
  return resolve(directory.current(), path);
}

export function withAbsoluteFile<Input extends { readonly file_path: string }>(input: Input, where: Where): Input {
  return { ...input, file_path: absolutePath(input.file_path, where) };
}

export function withAbsoluteFolder<Input extends { readonly path?: string | undefined }>(
  input: Input,
  where: Where,
): Input {
  return input.path === undefined ? input : { ...input, path: absolutePath(input.path, where) };
}

/**
 * The path that permission rules see: the written one, unless it is in the project and a symbolic link leads out of it.
 * Then it is the link's target.
 */
export function pathForRules(path: string, where: Where): string {
  const absolute = absolutePath(path, where);
  const { projectDir } = where.directory;
  if (!isInside(absolute, [projectDir])) return absolute;
  const realPath = makeRealPath();
  const real = realPath(absolute);
  return isInside(real, [realPath(projectDir)]) ? absolute : real;
}
