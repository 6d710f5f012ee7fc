import { type Dirent, readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Git } from './git.ts';
import { whyUnfit } from './inspectFiles.ts';
import type { LeftOut } from './leftOut.ts';
import { absolutePath, folderPath, quotePath, shownPath } from './quotedPath.ts';
import { withoutIgnored } from './withoutIgnored.ts';

const MAX_FOLDERS = 20_000;
const MAX_NAMED = 50;
const FOLDERS_IN_A_ROW = 64;

/**
 * Pipes, sockets and devices that are not ignored. Git neither lists nor stores them, but the report of a kept state has
 * to name what it lacks.
 */
export async function specialFiles(git: Git, topLevel: string): Promise<readonly LeftOut[]> {
  const ignored = new Set<string>();
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory'];
  const onLine = (line: string) => void ignored.add(folderPath(line) ?? line);
  const listed = await git.run({ folder: topLevel, args, onLine });
  if (listed.type === 'failed') return [];
  const found = await walk(topLevel, ignored);
  const names = new Set(await withoutIgnored(git, topLevel, { paths: [...found.keys()], are: 'files' }));
  const left = [...found].filter(([path]) => names.has(path)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return left.slice(0, MAX_NAMED).map(([path, reason]) => ({ path: shownPath(path), reason, isEmpty: true }));
}

async function walk(topLevel: string, ignored: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const waiting: Buffer[] = [Buffer.alloc(0)];
  for (let visited = 0; waiting.length > 0 && visited < MAX_FOLDERS; visited++) {
    if (visited % FOLDERS_IN_A_ROW === 0) await setImmediate();
    const folder = waiting.pop() ?? Buffer.alloc(0);
    const entries = entriesIn(absolutePath(topLevel, quotePath(folder)));
    // another repository names its own
    if (folder.length > 0 && entries.some(({ name }) => name.toString() === '.git')) continue;
    for (const entry of entries) {
      if (entry.isFile() || entry.isSymbolicLink() || entry.name.toString() === '.git') continue;
      const path = folder.length === 0 ? entry.name : Buffer.concat([folder, Buffer.from('/'), entry.name]);
      if (ignored.has(quotePath(path))) continue;
      if (entry.isDirectory()) waiting.push(path);
      else found.set(quotePath(path), whyUnfit(entry) ?? '');
    }
  }
  return found;
}

function entriesIn(folder: Buffer): readonly Dirent<Buffer>[] {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch {
    return [];
  }
}
