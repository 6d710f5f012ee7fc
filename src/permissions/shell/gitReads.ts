import path from 'node:path';
import { isReadOnlyCommand } from './readOnlyCommand.ts';

/** How a shell line uses git, as far as its words show. */
export type GitUse =
  /** Git is not run, or also for more than reading, which a rule had to allow. */
  | { readonly type: 'notOnlyReading' }
  /** Every git in it only reads, and so needed no rule: in these folders. */
  | { readonly type: 'reading'; readonly folders: readonly string[] }
  | { readonly type: 'unclear'; readonly reason: string };

const NOT_ONLY_READING: GitUse = { type: 'notOnlyReading' };
const GIT = /(?<![\w./-])git(?![\w./-])/;
/** A folder that means itself to every shell. */
const PLAIN_FOLDER = /^(?:cd|git -C) +(?:--? +)?(?:'([^']+)'|"([^"$`\\]+)"|([\w./@+,:=-]+))(?= |$)/;

/**
 * Which git commands of a line only read, and in which folders. Small on purpose: the reader of command lines has
 * already decided that the line may run; this finds out under whose configuration git will.
 */
export function gitReads(command: string, cwd: string): GitUse {
  if (!GIT.test(command)) return NOT_ONLY_READING;
  const parts = command.split(/&&|\|\||[;&|\n(){}]/).map((part) => part.trim().replace(/[ \t]+/g, ' '));
  const gits = parts.filter((part) => GIT.test(part));
  if (!gits.every((part) => isReadOnlyCommand(part))) return NOT_ONLY_READING;
  const folders = [cwd];
  // git then runs itself in repositories that only the history names
  const submodules = gits.find((part) => / --subm/.test(part));
  if (submodules !== undefined) return unclear(submodules);
  for (const part of parts.filter((one) => /^cd\b|^git -C/.test(one))) {
    const [, single, double, bare] = PLAIN_FOLDER.exec(part) ?? [];
    const name = single ?? double ?? bare;
    if (name === undefined || name.startsWith('-')) return unclear(part);
    // whichever of the folders before it is current by then
    folders.push(...folders.map((folder) => path.resolve(folder, name)));
    if (folders.length > MAX_FOLDERS) return unclear(part);
  }
  return { type: 'reading', folders: [...new Set(folders)] };
}

const MAX_FOLDERS = 16;

function unclear(part: string): GitUse {
  return { type: 'unclear', reason: `Git reads in a folder that only the shell knows ("${part.slice(0, 80)}").` };
}
