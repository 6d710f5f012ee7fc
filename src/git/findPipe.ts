import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { attempt } from '../system/attempt.ts';

/** Files that git reads in every worktree. A deeper pipe is found by the timeout. */
const IN_WORKTREE = ['.gitignore', '.gitattributes', '.gitmodules', '.mailmap'];
const IN_GIT_FOLDER = [
  ...['HEAD', 'config', 'config.worktree', 'commondir', 'index', 'packed-refs', 'shallow', 'ORIG_HEAD', 'FETCH_HEAD'],
  ...['info/exclude', 'info/attributes', 'info/sparse-checkout', 'objects/info/alternates', 'logs/HEAD'],
];

/** A file for which git would wait forever: a pipe, a socket, or a device, also at the end of a link. */
export function findPipe(folder: string): string | undefined {
  const top = worktreeOf(folder);
  if (top === undefined) return undefined;
  const gitFolder = join(top, '.git');
  const files = [
    ...IN_WORKTREE.map((name) => join(top, name)),
    gitFolder,
    ...IN_GIT_FOLDER.map((name) => join(gitFolder, name)),
  ];
  return files.find(isEndless) ?? branchFiles(gitFolder).find(isEndless);
}

/**
 * The worktree that a folder is in, as git finds it. Undefined outside: our git uses no bare repository and no `GIT_DIR`.
 */
export function worktreeOf(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (lstatSync(join(at, '.git'), { throwIfNoEntry: false })) return at;
    if (dirname(at) === at) return undefined;
  }
}

function isEndless(file: string): boolean {
  // not there, or `.git` is a file
  const facts = attempt(() => statSync(file), null);
  return facts !== null && (facts.isFIFO() || facts.isSocket() || facts.isCharacterDevice());
}

/** The files of the checked-out branch. Called when HEAD is known not to be a pipe. */
function branchFiles(gitFolder: string): readonly string[] {
  const head = attempt(() => readFileSync(join(gitFolder, 'HEAD'), 'utf8').slice(0, 400), '');
  const [, ref] = /^ref: (refs\/[^\n]{1,300})/.exec(head) ?? [];
  return ref === undefined ? [] : [join(gitFolder, ref), join(gitFolder, 'logs', ref)];
}
