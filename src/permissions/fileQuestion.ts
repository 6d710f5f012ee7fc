import { basename, dirname } from 'node:path';
import type { CommandPath } from './commandPaths.ts';
import { mayLieWithin, type PathPlaces, pathMatches } from './matchPath.ts';
import type { FolderEntry } from './pathLookup.ts';
import type { FoundCommand } from './shell/findCommands.ts';
import { folderWalk, liesSomewhereIn, listedForOthers } from './shell/folderWalks.ts';
import type { ShellPart } from './shell/shellTypes.ts';

/** How one rule on files, `Read(…)` or `Edit(…)`, is held against the commands of a line. */
export interface FileQuestion {
  /** Whether the rule is about this very path, as the command uses it. */
  concerns(path: CommandPath): boolean;
  /** Whether the rule is about a path, however it is used. */
  names(path: string): boolean;
  /** Whether the command goes through a folder in which what the rule is about lies. */
  reaches(command: FoundCommand, paths: readonly CommandPath[]): boolean;
  /** Whether a word that is only known later may be one of the texts that the line prints. */
  mayConcern(command: FoundCommand, spoken: readonly CommandPath[]): boolean;
}

export interface FileRule {
  readonly pattern: string;
  readonly use: 'read' | 'write';
  readonly places: PathPlaces;
  /** What lies in a folder. */
  readonly entries: (folder: string) => readonly FolderEntry[];
  /** The folders in which the line's commands may stand. */
  readonly start: readonly string[];
  /** All commands of the line: what one lists, another may open. */
  readonly line: readonly ShellPart[];
}

export function fileQuestion({ pattern, use, places, entries, start, line }: FileRule): FileQuestion {
  const isAbout = (path: string) => pathMatches({ pattern, path, places, strict: true });
  return {
    names: isAbout,
    concerns: (path) =>
      // a word of a command that writes may be read by it as well: `cp secret copy`
      (use === 'read' ? path.use !== 'write' || !path.redirected : path.use !== 'read') &&
      (path.any === true || isAbout(path.path)),
    reaches({ part }, paths) {
      const walk = folderWalk(part) ?? listedForOthers(part, line);
      if (walk === undefined || !(use === 'write' ? walk.writes : walk.reads)) return false;
      const named = paths.filter(({ redirected }) => !redirected).map(({ path }) => path);
      const exists = (path: string) => entries(dirname(path)).some(({ name }) => name === basename(path));
      const here = walk.startsHere && !named.some(exists) ? [...start, ...places.directories] : [];
      const folders = [...named, ...here];
      if (isAnchored(pattern)) return folders.some((folder) => mayLieWithin(pattern, folder, places));
      // a name may lie anywhere: it is looked for, because otherwise every search of a project would be denied
      return folders.some((folder) =>
        liesSomewhereIn(folder, entries, (path, inside) => isAbout(path) && !walk.skips(inside)),
      );
    },
    mayConcern: ({ part }, spoken) =>
      (part.words.slice(1).some(({ expands }) => expands) || part.redirects.some(({ target }) => target.expands)) &&
      spoken.some(({ path, any }) => any === true || isAbout(path)),
  };
}

/** `~/.ssh/**` and `/src/gen` are in one place; `.env` is a name that may lie anywhere. */
function isAnchored(pattern: string): boolean {
  return pattern
    .replace(/^\.\//, '')
    .replace(/\/\*\*$/, '')
    .includes('/');
}
