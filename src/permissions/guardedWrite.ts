import { dirname } from 'node:path';
import { ownValue } from '../system/ownValue.ts';
import { type CommandPath, commandPaths, startingFolders } from './commandPaths.ts';
import type { FactsOf } from './judge.ts';
import { isInside } from './matchPath.ts';
import { pathLookup } from './pathLookup.ts';
import { isProtectedPath } from './protectedPaths.ts';
import type { FoundCommand, FoundCommands } from './shell/findCommands.ts';
import { knownVariables, withValues } from './shell/knownVariables.ts';
import type { ShellPart, ShellWord } from './shell/shellTypes.ts';
import { commandName } from './shell/unwrapCommand.ts';

/**
 * Why a command needs more than a rule for commands in general: it writes a file that decides what runs (an agent that
 * may empty its settings file has no Stop hook any more), or it removes a tree that holds more than one task's files.
 * Undefined when it does neither, as far as its words tell.
 */
export function guardedWrite(found: FoundCommands, facts: FactsOf<'command'>): string | undefined {
  const folders = startingFolders(found, facts);
  const { open } = pathLookup(facts);
  const written = writtenPath(found, facts, isProtectedPath);
  if (written !== undefined) return `it changes ${written}, which decides what runs later`;
  const known = knownVariables(found.all);
  for (const command of found.all.map((one) => withValues(one, known))) {
    if (emptiesFolder(command, (text) => isPartOfProject(text))) return 'it removes everything in a folder';
  }
  const removers = found.all.filter(({ part }) => REMOVERS.has(commandName(part.words[0]?.text ?? '')));
  const removed = removers.flatMap(({ part }) => commandPaths(part, folders, facts));
  return removed.some(isTooMuch) ? 'it removes a folder that holds more than the task' : undefined;

  /**
   * What is not removed on purpose: the root or a folder in it, the home folder, an open folder or one that holds it.
   * Measured: a PreToolUse hook's `allow` does not cover these.
   */
  function isTooMuch({ path, any }: CommandPath): boolean {
    const kept = [...open, facts.homeDir];
    return any === true || dirname(path) === '/' || kept.some((folder) => isInside(folder, [path]));
  }

  /** `rm -rf dist/*` removes no more than `rm -rf dist`. */
  function isPartOfProject(folder: string): boolean {
    const paths = folders.flatMap((start) => pathLookup(facts).places(start, folder));
    return paths.every((path) => isInside(path, open) && !open.some((one) => isInside(one, [path])));
  }
}

const REMOVERS: ReadonlySet<string> = new Set(['rm', 'rmdir', 'unlink', 'shred']);
/** The first path of a kind that a command would change, as far as its words tell. */
export function writtenPath(
  found: FoundCommands,
  facts: FactsOf<'command'>,
  isOfKind: (path: string, open: readonly string[]) => boolean,
  uses: readonly CommandPath['use'][] = ['write'],
): string | undefined {
  const folders = startingFolders(found, facts);
  const { open } = pathLookup(facts);
  const known = knownVariables(found.all);
  const paths = found.all.flatMap((one) => commandPaths(onlyWritten(withValues(one, known).part), folders, facts));
  return paths.find(({ path, use }) => uses.includes(use) && isOfKind(path, open))?.path;
}

/** Commands that write only with an option. */
const IN_PLACE: Readonly<Record<string, RegExp>> = { sed: /^(?:-[a-zA-Z]*i|--in-place)/, perl: /^-[a-zA-Z]*i/ };
/** Commands that write their last word and read the ones before it. */
const COPIES = new Set(['cp', 'install', 'ln', 'rsync']);

/** The same command with only those words that name files it would change. */
function onlyWritten(part: ShellPart): ShellPart {
  const [head, ...words] = part.words;
  if (!head) return part;
  const name = commandName(head.text);
  const needed = ownValue(IN_PLACE, name);
  const idle = needed !== undefined && !words.some(({ text }) => needed.test(text));
  return { ...part, words: [head, ...(idle ? [] : targets(name, words))] };
}

function targets(name: string, words: readonly ShellWord[]): readonly ShellWord[] {
  if (!COPIES.has(name) || words.some(({ text }) => /^-[a-zA-Z]*t|^--t/.test(text))) return words;
  return words.slice(-1);
}

function emptiesFolder({ part }: FoundCommand, isPart: (folder: string) => boolean): boolean {
  const [head, ...words] = part.words;
  const recursive = words.some(({ text }) => /^(?:-[a-zA-Z]*[rR]|--recursive$)/.test(text));
  const everything = words.some(({ text, globs }) => {
    const [, folder = '.'] = /^(?:(.*)\/)?\*$/s.exec(text) ?? [];
    return globs && /^(?:.*\/)?\*$/s.test(text) && !(/^[\w./-]+$/.test(folder) && isPart(folder));
  });
  return commandName(head?.text ?? '') === 'rm' && recursive && everything;
}
