import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmdirSync } from 'node:fs';
import { rename, symlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { inspectFiles as inspect } from '../../../session/sandbox/inspectPaths.ts';
import { attempt } from '../../../system/attempt.ts';

/** The target of a link; undefined when nothing is there, null for anything else. */
function stateOf(path: string): string | undefined | null {
  const kind = inspect.kind(path);
  if (kind === 'absent') return undefined;
  return kind === 'link' ? readlinkSync(path) : null;
}

/** Paths that cannot be mounted, because they do not exist or are links: new files there are moved aside. */
export function watchPlaces(paths: readonly string[]) {
  const before = new Map(paths.map((path) => [path, stateOf(path)]));
  return {
    /** Undoes changes in these places; returns a sentence for each. */
    async settle(): Promise<readonly string[]> {
      const sentences: string[] = [];
      for (const [path, state] of before) {
        const now = stateOf(path);
        if (now === state) continue;
        const aside = now === undefined ? undefined : await moveAside(path);
        if (typeof state === 'string') await symlink(state, path).catch(() => {});
        const what = aside === undefined ? 'restored the link' : `moved the new file to ${basename(aside)}`;
        sentences.push(
          `The sandbox does not let commands change ${path}, which decides which programs run, and ${what}.`,
        );
      }
      return sentences;
    },
  };
}

async function moveAside(path: string): Promise<string | undefined> {
  for (let count = 1; count < 1000; count++) {
    const aside = `${path}.refused-${count}`;
    if (inspect.kind(aside) !== 'absent') continue;
    return await rename(path, aside).then(
      () => aside,
      () => undefined,
    );
  }
  return undefined;
}

/** Folders for mounts, removed with the session if they are still empty; `make` creates missing ones again. */
export function madeFolders(paths: readonly string[]) {
  const make = () => {
    // one exists, or its parent is not writable
    for (const path of paths) attempt(() => mkdirSync(path), undefined);
  };
  make();
  return {
    make,
    [Symbol.dispose]() {
      for (const path of paths) {
        // removing it would also remove the mount of another session's sandbox
        if (isMountedElsewhere(path)) continue;
        // one that is not empty stays
        attempt(() => rmdirSync(path), undefined);
      }
    },
  };
}

/** Whether a process in another mount namespace has a mount at this path. */
function isMountedElsewhere(path: string): boolean {
  const escaped = path.replace(/[\s\\]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);
  const seen = new Set([namespaceOf('self')]);
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const namespace = namespaceOf(pid);
    if (namespace === undefined || seen.has(namespace)) continue;
    seen.add(namespace);
    // empty when the process has ended
    const mounts = attempt(() => readFileSync(`/proc/${pid}/mountinfo`, 'utf8'), '');
    if (mounts.includes(` ${escaped} `)) return true;
  }
  return false;
}

const namespaceOf = (pid: string) => attempt(() => readlinkSync(`/proc/${pid}/ns/mnt`), undefined);
