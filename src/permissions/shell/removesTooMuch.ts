import { dirname } from 'node:path';
import { commandPaths, startingFolders } from '../commandPaths.ts';
import type { FactsOf } from '../judge.ts';
import { isInside } from '../matchPath.ts';
import { pathLookup } from '../pathLookup.ts';
import type { FoundCommands } from './findCommands.ts';
import { commandName } from './unwrapCommand.ts';

const REMOVERS: ReadonlySet<string> = new Set(['rm', 'rmdir', 'unlink', 'shred']);

/**
 * Whether a command line removes what is not removed on purpose: the root or a folder in it, the home folder, an open
 * folder or one that holds it. Measured: a PreToolUse hook's `allow` does not cover these.
 */
export function removesTooMuch(found: FoundCommands, facts: FactsOf<'command'>): boolean {
  const { open } = pathLookup(facts);
  const folders = startingFolders(found, facts);
  const kept = [...open, facts.homeDir];
  return found.all
    .filter(({ part }) => REMOVERS.has(commandName(part.words[0]?.text ?? '')))
    .flatMap(({ part }) => commandPaths(part, folders, facts))
    .some(({ path, any }) => any === true || dirname(path) === '/' || kept.some((folder) => isInside(folder, [path])));
}
