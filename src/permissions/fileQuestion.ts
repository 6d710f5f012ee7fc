import { join } from 'node:path';
import { ownValue } from '../system/ownValue.ts';
import type { CommandPath } from './commandPaths.ts';
import { mayLieWithin, type PathPlaces, pathMatches } from './matchPath.ts';
import type { FoundCommand } from './shell/findCommands.ts';
import { commandName } from './shell/unwrapCommand.ts';

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

/** Programs that open whatever lies in a folder they are given; with `undefined` always, else with that option. */
const GOES_THROUGH: Readonly<Record<string, RegExp | undefined>> = {
  grep: /^-[a-zA-Z]*[rRd]|^--(?:recursive|dereference|directories)/,
  egrep: /^-[a-zA-Z]*[rRd]|^--(?:recursive|dereference|directories)/,
  fgrep: /^-[a-zA-Z]*[rRd]|^--(?:recursive|dereference|directories)/,
  rg: undefined,
  ag: undefined,
  ack: undefined,
  diff: undefined,
  cp: /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)/,
  scp: /^-[a-zA-Z]*r/,
  rsync: undefined,
  tar: undefined,
  zip: undefined,
  '7z': undefined,
  mv: undefined,
  find: /^-(?:delete|exec|execdir|ok|okdir)$/,
  rm: /^-[a-zA-Z]*[rR]|^--recursive/,
  chmod: /^-[a-zA-Z]*R|^--recursive/,
  chown: /^-[a-zA-Z]*R|^--recursive/,
};
/** Of these a folder is only a place to start from; what they change or show of it is no file's content. */
const ONLY_READS = new Set('grep egrep fgrep rg ag ack diff'.split(' '));

export interface FileRule {
  readonly pattern: string;
  readonly use: 'read' | 'write';
  readonly places: PathPlaces;
  /** What lies in a folder. */
  readonly names: (folder: string) => readonly string[];
}

export function fileQuestion({ pattern, use, places, names }: FileRule): FileQuestion {
  const isAbout = (path: string) => pathMatches({ pattern, path, places, strict: true });
  return {
    names: isAbout,
    concerns: (path) =>
      // a word of a command that writes may be read by it as well: `cp secret copy`
      (use === 'read' ? path.use !== 'write' || !path.redirected : path.use !== 'read') &&
      (path.any === true || isAbout(path.path)),
    reaches({ part }, paths) {
      const [head, ...words] = part.words;
      const name = commandName(head?.text ?? '');
      if (!Object.hasOwn(GOES_THROUGH, name) || (use === 'write' && ONLY_READS.has(name))) return false;
      const option = ownValue(GOES_THROUGH, name);
      if (option && !words.some(({ text }) => option.test(text))) return false;
      const searched = paths.length > 0 ? paths.map(({ path }) => path) : places.directories.slice(0, 1);
      if (isAnchored(pattern)) return searched.some((path) => mayLieWithin(pattern, path, places));
      // a name may lie anywhere, and every search of a project would be denied: only where it lies right there
      return searched.some((folder) => names(folder).some((name) => isAbout(join(folder, name))));
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
