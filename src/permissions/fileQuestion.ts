import { basename, dirname, relative } from 'node:path';
import type { CommandPath } from './commandPaths.ts';
import { fixedParts, isInside, mayLieWithin, type PathPlaces, pathMatches } from './matchPath.ts';
import type { PathLookup } from './pathLookup.ts';
import { type FolderWalk, fitting, folderWalk, liesSomewhereIn } from './shell/folderWalks.ts';
import { handsOn, listedForOthers, onlyNames, takesNames } from './shell/listedNames.ts';
import type { ShellPart } from './shell/shellTypes.ts';

export interface FileRule {
  readonly pattern: string;
  readonly use: 'read' | 'write';
  readonly places: PathPlaces;
  readonly lookup: PathLookup;
  /** The folders in which the line's commands may stand. */
  readonly start: readonly string[];
  /** All commands of the line: what one lists, another may open. */
  readonly line: readonly ShellPart[];
}

/** How one rule on files, `Read(…)` or `Edit(…)`, is held against the commands of a line. */
export function fileQuestion({ pattern, use, places, lookup, start, line }: FileRule) {
  const { entries, exceptions, tracked } = lookup;
  const isAbout = (path: string) => pathMatches({ pattern, path, places, strict: true });
  // `[ -f .env ]` and `ls -l .env` do not open the file; a folder is opened to be listed
  const opens = (part: ShellPart, path: string) =>
    !onlyNames(part) || line.some(takesNames) || entries(path).length > 0;
  return {
    /** Whether the rule is about a path, however it is used. */
    names: isAbout,
    /** Whether the rule is about this very path, as the command uses it. */
    concerns: (path: CommandPath, part: ShellPart) =>
      // a word of a command that writes may be read by it as well: `cp secret copy`
      (use === 'read' ? path.use !== 'write' || !path.redirected : path.use !== 'read') &&
      (path.any === true || (isAbout(path.path) && (path.redirected || opens(part, path.path)))),
    /** Whether the command goes through a folder in which what the rule is about lies. */
    reaches(part: ShellPart, paths: readonly CommandPath[]) {
      const walks = [folderWalk(part), listedForOthers(part, line)].filter((walk) => walk !== undefined);
      return walks.some((walk) => (use === 'write' ? walk.writes : walk.reads) && goesTo(walk, paths));
    },
    /** Whether a word that is only known later may be one of the texts that the line prints. */
    mayConcern: (part: ShellPart, spoken: readonly CommandPath[]) =>
      (handsOn(part) ||
        part.words.slice(1).some(({ expands }) => expands) ||
        part.redirects.some(({ target }) => target.expands)) &&
      spoken.some(({ path, any }) => any === true || isAbout(path)),
  };
  function goesTo(walk: FolderWalk, paths: readonly CommandPath[]): boolean {
    const own = paths.filter(({ redirected }) => !redirected);
    // of a copy only the place that it goes to is written
    const isCopy = use === 'write' && own.some((path) => path.use === 'write');
    const named = own.filter((path) => !isCopy || path.use !== 'read').map(({ path }) => path);
    if (walk.tracked) return start.some((folder) => tracked(folder)?.some(isAbout) ?? true);
    const exists = (path: string) => entries(dirname(path)).some(({ name }) => name === basename(path));
    const here = walk.startsHere && !named.some(exists) ? start : [];
    const all = walk.startsHere === 'repository' && here.length > 0 ? places.directories : [];
    const folders = [...named, ...here, ...all];
    const { skips = () => false } = walk;
    const comesBack = (path: string) =>
      walk.patterned === true && exceptions(dirname(path)).some((glob) => fitting(glob)(basename(path)));
    const isLeftOut = (path: string, inside: string) => skips(inside) && !comesBack(path);
    const holds = (folder: string, below = folder) =>
      liesSomewhereIn(below, entries, (path) => isAbout(path) && !isLeftOut(path, relative(folder, path)));
    // a name may lie anywhere: it is looked for, because otherwise every search of a project would be denied
    if (!isAnchored(pattern)) return folders.some((folder) => holds(folder));
    const within = folders.filter((folder) => mayLieWithin(pattern, folder, places));
    if (walk.skips === undefined) return within.length > 0;
    const fixed = fixedParts(pattern, places).map(({ path }) => path);
    return within.some((folder) =>
      fixed.some((part) =>
        isInside(folder, [part]) ? holds(folder) : isInside(part, [folder]) && holds(folder, part),
      ),
    );
  }
}

/** `~/.ssh/**` and `/src/gen` are in one place; `.env` is a name that may lie anywhere. */
function isAnchored(pattern: string): boolean {
  return pattern
    .replace(/^\.\//, '')
    .replace(/\/\*\*$/, '')
    .includes('/');
}
