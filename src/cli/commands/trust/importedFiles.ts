import { realpathSync } from 'node:fs';
import path from 'node:path';
import { openGit } from '../../../git/git.ts';
import { loadFolders, loadInstructions } from '../../../session/instructions/loadInstructions.ts';
import { type FolderTrust, TRUSTED, UNTRUSTED } from '../../../session/trust/folderTrust.ts';
import { listFiles } from '../../../stop/frozen/freeze.ts';
import type { World } from '../../../system/world.ts';

/** Files outside the project that its instructions import, those of folders below it included; by their real paths. */
export async function importedFiles(world: World): Promise<readonly string[]> {
  const below = await foldersBelow(world);
  const [before, after] = await Promise.all([UNTRUSTED, TRUSTED].map((trust) => instructionFiles(world, below, trust)));
  const known = new Set(before);
  return [...new Set(after)].filter((file) => !known.has(file));
}

async function instructionFiles(
  world: World,
  below: readonly string[],
  trust: FolderTrust,
): Promise<readonly string[]> {
  const { cwd, homeDir, env } = world;
  const own = await loadInstructions({ cwd, homeDir, env, trust });
  const loaded = new Set(own.files.map((file) => file.path));
  const nested = await loadFolders(below, { projectDir: cwd, homeDir, trust, loaded });
  return [...own.files, ...nested.files].map((file) => realpathSync(file.path));
}

const NAMES = ['CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md'].map((name) => `:(glob)**/${name}`);

/** Folders with instructions; none where git does not know the files, and imports there stay off. */
async function foldersBelow(world: World): Promise<readonly string[]> {
  const args = ['--cached', '--others', '--exclude-standard', '--', ...NAMES];
  const files = await listFiles(openGit(world), world.cwd, args).catch(() => []);
  const folders = files.map((file) => path.join(world.cwd, path.dirname(file)).replace(/\/\.claude$/, ''));
  return [...new Set(folders)].filter((folder) => folder !== world.cwd).slice(0, MOST_FOLDERS);
}

const MOST_FOLDERS = 200;
