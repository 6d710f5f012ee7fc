import { basename, dirname, isAbsolute, join } from 'node:path';
import { commandPaths, startingFolders } from './commandPaths.ts';
import type { FactsOf } from './judge.ts';
import { isInside } from './matchPath.ts';
import { pathLookup } from './pathLookup.ts';
import { GATE_FILE } from './protectedPaths.ts';
import type { FoundCommands } from './shell/findCommands.ts';
import { knownVariables, withValues } from './shell/knownVariables.ts';
import { namesIn } from './shell/sameRow.ts';
import type { ShellPart } from './shell/shellTypes.ts';
import { commandName } from './shell/unwrapCommand.ts';

/** A file that decides when an agent may stop and that goes away with a folder which a command removes or moves. */
export function removedGate(found: FoundCommands, facts: FactsOf<'command'>): string | undefined {
  const known = knownVariables(found.all);
  const commands = found.all.map((command) => withValues(command, known));
  const folders = startingFolders({ text: found.text, all: commands }, facts);
  const removed = commands
    .filter(({ part }) => removes(part))
    .flatMap(({ part }) => commandPaths(part, folders, facts).filter(({ use }) => use !== 'read' || isFind(part)))
    .map(({ path }) => path);
  const { names } = pathLookup(facts);
  const isThere = (path: string): boolean =>
    names(dirname(path)).some((name) => name.toLowerCase() === basename(path).toLowerCase());
  return [...new Set(removed)].flatMap((folder) => gatesBelow(folder, facts)).find((file) => isThere(file));
}

/** Where files of the gate would be in a folder: by its own name, or because the project or the home is in it. */
function gatesBelow(
  folder: string,
  { projectDir, cwd, homeDir, gateFiles = [] }: FactsOf<'command'>,
): readonly string[] {
  const relative = [GATE_FILE, ...gateFiles.filter((file) => !isAbsolute(file))].map((file) => file.replace(/\/$/, ''));
  const roots = [projectDir, cwd ?? projectDir, homeDir].filter((root) => isInside(root, [folder]));
  const known = [
    ...gateFiles.filter((file) => isAbsolute(file)),
    ...roots.flatMap((root) => relative.map((file) => join(root, file))),
  ];
  return [...relative.flatMap((file) => restsOf(file, folder)), ...known.filter((file) => isInside(file, [folder]))];
}

/** `.pi/agent/settings.json` in a folder `.pi` or `.pi/agent`. */
function restsOf(file: string, folder: string): readonly string[] {
  const names = file.split('/');
  return names.slice(1).flatMap((_name, at) => {
    const start = names.slice(0, at + 1).join('/');
    const isStart = folder.toLowerCase().endsWith(`/${start}`.toLowerCase());
    return isStart ? [join(folder, ...names.slice(at + 1))] : [];
  });
}

const REMOVERS = namesIn('rm rmdir unlink shred mv rename mmv rimraf del del-cli trash trash-put');
const isFind = ({ words: [head] }: ShellPart) => commandName(head?.text ?? '') === 'find';

function removes(part: ShellPart): boolean {
  const [head, ...words] = part.words;
  const name = commandName(head?.text ?? '');
  if (isFind(part)) return words.some(({ text }) => text === '-delete');
  if (name === 'git') return words.some(({ text }) => text === 'rm' || text === 'mv');
  return REMOVERS.has(name);
}
