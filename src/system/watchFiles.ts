import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import path from 'node:path';

export type FileChange = 'add' | 'change' | 'unlink';

/** Writers replace, truncate and write in steps: all events of a file within this time are one change. */
const SETTLE_MS = 40;

/**
 * Reports changes of files. Folders are watched, not files, because an editor that replaces a file would leave the watch on
 * the old one. Never keeps the process alive; files that cannot be watched are ignored.
 */
export function watchFiles(onChange: (file: string, change: FileChange) => void) {
  const files = new Map<string, string | undefined>();
  const folders = new Map<string, FSWatcher>();
  const settling = new Map<string, NodeJS.Timeout>();

  const compare = (file: string) => {
    settling.delete(file);
    const before = files.get(file);
    const now = fingerprint(file);
    if (before === now) return;
    files.set(file, now);
    onChange(file, before === undefined ? 'add' : now === undefined ? 'unlink' : 'change');
  };
  const compareSoon = (file: string) => {
    if (settling.has(file)) return;
    settling.set(file, setTimeout(() => compare(file), SETTLE_MS).unref());
  };
  const watchFolder = (folder: string) => {
    if (folders.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, () => {
        for (const file of files.keys()) {
          if (!file.startsWith(folder + path.sep)) continue;
          // a missing folder may have been created
          watchNearest(file);
          compareSoon(file);
        }
      });
      watcher.on('error', () => {
        watcher.close();
        folders.delete(folder);
      });
      folders.set(folder, watcher);
    } catch {
      // no permission, or no watches left
    }
  };
  const watchNearest = (file: string) => {
    let folder = path.dirname(file);
    while (!existsSync(folder) && path.dirname(folder) !== folder) folder = path.dirname(folder);
    watchFolder(folder);
  };
  return {
    /** Watches these files too; they need not exist yet. */
    add: (more: readonly string[]) => {
      for (const file of more) {
        if (files.has(file)) continue;
        files.set(file, fingerprint(file));
        watchNearest(file);
      }
    },
    [Symbol.dispose]: () => {
      for (const watcher of folders.values()) watcher.close();
      for (const timer of settling.values()) clearTimeout(timer);
      files.clear();
    },
  };
}

function fingerprint(file: string): string | undefined {
  const facts = statSync(file, { throwIfNoEntry: false });
  return facts && `${facts.ino} ${facts.size} ${facts.mtimeMs}`;
}
