import { lstatSync, mkdtempSync, rmdirSync, unlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attempt } from '../../system/attempt.ts';
import { readTextFileSync } from '../../system/readTextFile.ts';
import type { ToolContext } from '../toolContext.ts';

const LONGEST_DIRECTORY = 16_384;

type Owner = Pick<ToolContext, 'shells' | 'agentId' | 'registerCleanup'>;

/**
 * A private file for the final directory, deleted after the call. The command runs without it, too. Not asynchronous: at
 * every command a dozen waits for a thread would take longer than the shell itself.
 */
export function directoryFile(parent: string, owner: Owner) {
  const folder = takeSpare(parent, owner) ?? makeFolder(parent) ?? makeFolder(tmpdir());
  const path = folder === undefined ? '/dev/null' : join(folder, 'directory');
  return {
    path,
    read: () => {
      // the command could have replaced it
      const written = readTextFileSync(path, LONGEST_DIRECTORY);
      return written.type === 'read' && !written.cut ? written.text.replace(/\n$/, '') : '';
    },
    [Symbol.asyncDispose]: async () => {
      if (folder === undefined) return;
      if (!removed(() => unlinkSync(path))) await rm(folder, { recursive: true, force: true });
      else if (!keepSpare({ parent, folder }, owner)) await removeFolder(folder);
    },
  };
}

const makeFolder = (parent: string): string | undefined =>
  attempt(() => mkdtempSync(join(parent, 'stopgate-bash-')), undefined);

/** False when the command left something else there, or nothing. */
function removed(remove: () => void): boolean {
  return attempt(() => {
    remove();
    return true;
  }, false);
}

async function removeFolder(folder: string): Promise<void> {
  if (!removed(() => rmdirSync(folder))) await rm(folder, { recursive: true, force: true });
}

interface SpareFolder {
  readonly parent: string;
  readonly folder: string;
}

/** The empty folder of the last command, for the next one of the turn: to make and remove one takes as long as a shell. */
const spares = new WeakMap<Owner['shells'], SpareFolder & { readonly forget: () => void }>();

function takeSpare(parent: string, { shells }: Owner): string | undefined {
  const spare = spares.get(shells);
  if (spare?.parent !== parent) return undefined;
  spares.delete(shells);
  spare.forget();
  // a command that still runs may have changed it
  const entryOf = (file: string) => lstatSync(file, { throwIfNoEntry: false });
  const file = join(spare.folder, 'directory');
  if (entryOf(spare.folder)?.isDirectory() !== true) return undefined;
  // looked at first: an error for a file that is not there takes longer
  if (entryOf(file) !== undefined) removed(() => unlinkSync(file));
  return spare.folder;
}

/** False when it is not needed. A subagent may outlive the turn, and with it what removes the folder. */
function keepSpare(spare: SpareFolder, { shells, agentId, registerCleanup }: Owner): boolean {
  if (agentId !== undefined || spares.has(shells)) return false;
  const forget = registerCleanup('the folder of commands', () => {
    spares.delete(shells);
    return removeFolder(spare.folder);
  });
  spares.set(shells, { ...spare, forget });
  return true;
}
