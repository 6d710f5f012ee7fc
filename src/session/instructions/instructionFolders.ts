import { lstat, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * The folders whose instructions hold in `cwd`, outermost first, from the git root or the file system's root. Above the
 * project only folders count that no other user can write to: anyone could put a CLAUDE.md into /tmp. `root` is the
 * outermost folder that files of `path` may import from.
 */
export async function instructionFolders(cwd: string, projectDir: string) {
  const chain = await ownFolders(ancestors(cwd), projectDir);
  const marks = await Promise.all(chain.folders.map((folder) => exists(join(folder, '.git'))));
  const git = marks.lastIndexOf(true);
  const inRepository = chain.folders.slice(Math.max(git, 0));
  const root = git >= 0 ? chain.folders[git] : projectDir;
  const folders = inRepository.map((path) => ({
    path,
    root: isAbove(path, projectDir) && git < 0 ? path : (root ?? path),
  }));
  return { folders, problems: git >= 0 ? [] : chain.problems };
}

function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...ancestors(parent), path];
}

function isAbove(folder: string, projectDir: string): boolean {
  return ancestors(projectDir).slice(0, -1).includes(folder);
}

async function ownFolders(chain: readonly string[], projectDir: string) {
  const judged = await Promise.all(
    chain.map(async (folder) => ({ folder, own: !isAbove(folder, projectDir) || (await isOurs(folder)) })),
  );
  const foreign = judged.filter(({ own }) => !own).map(({ folder }) => folder);
  const files = foreign.map((folder) => join(folder, 'CLAUDE.md'));
  const marks = await Promise.all(files.map(exists));
  const skipped = files.filter((_, place) => marks[place]);
  return {
    folders: judged.filter(({ own }) => own).map(({ folder }) => folder),
    problems: skipped.map((file) => `${file} is not read: others can write to its folder, which is above the project.`),
  };
}

async function isOurs(folder: string): Promise<boolean> {
  const facts = await stat(folder).catch(() => undefined);
  if (!facts) return false;
  const owner = process.getuid?.();
  return (facts.mode & 0o002) === 0 && (owner === undefined || facts.uid === owner || facts.uid === 0);
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
