import path from 'node:path';
import type { OffByProject } from './host.ts';

/** A reason that a settings file switches hooks off, told apart by whose file it is: a repository must not disarm a launch. */
export function offByFile(why: string, file: string, folder: string): string | OffByProject {
  const isInside = !path.relative(folder, file).startsWith('..');
  return isInside ? { why, file } : why;
}
