import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmdirSync } from 'node:fs';
import { rename, symlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { inspectFiles, safely } from '../../../session/sandbox/inspectPaths.ts';

const inspect = safely(inspectFiles);

/** Where a link leads, as written; undefined for what is not there, null for anything else. */
function stateOf(path: string): string | undefined | null {
  const kind = inspect.kind(path);
  if (kind === 'absent') return undefined;
  return kind === 'link' ? readlinkSync(path) : null;
}

export interface WatchedPlaces {
  /** Takes back what appeared in these places; a sentence for each. */
  settle(): Promise<readonly string[]>;
}

/** Paths that no mount can hold, because nothing was there or a link: what a command puts there is moved aside. */
export function watchPlaces(paths: readonly string[]): WatchedPlaces {
  const before = new Map(paths.map((path) => [path, stateOf(path)]));
  return {
    async settle() {
      const sentences: string[] = [];
      for (const [path, state] of before) {
        const now = stateOf(path);
        if (now === state) continue;
        const aside = now === undefined ? undefined : await moveAside(path);
        if (typeof state === 'string') await symlink(state, path).catch(() => {});
        const what = aside === undefined ? 'put the link back' : `moved what it made to ${basename(aside)}`;
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

export interface MadeFolders extends Disposable {
  /** Makes those again that are gone. */
  make(): void;
}

/** Folders that are there for a mount to hold, and removed with the session if they are still empty. */
export function madeFolders(paths: readonly string[]): MadeFolders {
  const make = () => {
    for (const path of paths) {
      try {
        mkdirSync(path);
      } catch {
        // there already, or in a folder that we may not write in either
      }
    }
  };
  make();
  return {
    make,
    [Symbol.dispose]() {
      for (const path of paths) {
        // removing it would also take away the mount by which another session's sandbox holds it
        if (isMountedElsewhere(path)) continue;
        try {
          rmdirSync(path);
        } catch {
          // not empty
        }
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
    try {
      if (readFileSync(`/proc/${pid}/mountinfo`, 'utf8').includes(` ${escaped} `)) return true;
    } catch {
      // gone in the meantime
    }
  }
  return false;
}

function namespaceOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/mnt`);
  } catch {
    return undefined;
  }
}
