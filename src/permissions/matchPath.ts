import { dirname, relative, resolve } from 'node:path';
import picomatch from 'picomatch';
import { withoutEnding } from '../system/withoutEnding.ts';
import { isTooComplexPath } from './parseRule.ts';

export interface PathPlaces {
  readonly projectDir: string;
  readonly homeDir: string;
  readonly directories: readonly string[];
}

export interface PathQuestion {
  /** The content of a rule: `src/**`, `/src/**` (from the project), `~/x`, `//etc/**` (from the root). */
  readonly pattern: string;
  /** Absolute. */
  readonly path: string;
  readonly places: PathPlaces;
  /** For rules that forbid: upper and lower case are one, and relative patterns hold in every open folder. */
  readonly strict: boolean;
}

/**
 * Whether a path rule covers a path, as a line of .gitignore would: a name without a slash is found at any depth, and
 * a folder stands for all that is in it.
 */
export function pathMatches({ pattern, path, places, strict }: PathQuestion): boolean {
  if (isTooComplexPath(pattern)) return false;
  const { bases, rest, floats } = anchor(pattern, places, strict);
  const globs = (floats ? [rest, `**/${rest}`] : [rest]).flatMap((glob) => [glob, `${glob}/**`]);
  return bases.some((base) => {
    const inside = relative(base, path);
    if (inside === '') return rest === '**' || rest === '';
    if (isOutside(inside)) return false;
    return globs.some((glob) => matcher(glob, strict)(inside));
  });
}

/** The content of a rule on this path alone: its characters stand for themselves. */
export const literalPath = (path: string): string => path.replace(/[*?[\]{}()!+@|^$]/g, '\\$&');

/** Whether a path rule that forbids could be about something in a folder, whatever is there. */
export function mayLieWithin(pattern: string, folder: string, places: PathPlaces): boolean {
  return fixedParts(pattern, places).some(({ path }) => isInside(path, [folder]) || isInside(folder, [path]));
}

/**
 * Where what a rule that forbids is about can be: the names before its first wildcard. `whole`: it is about this very path and all
 * that is in it, and not only about some of it.
 */
export function fixedParts(pattern: string, places: PathPlaces) {
  if (isTooComplexPath(pattern)) return [];
  const { bases, rest, floats } = anchor(pattern, places, true);
  const names = rest.split('/');
  const wild = floats ? 0 : names.findIndex((name) => /[*?[{!(]/.test(name));
  const fixed = names.slice(0, wild < 0 ? names.length : wild);
  const after = names.slice(fixed.length);
  const whole = !floats && after.every((name) => name === '**');
  return bases.map((base) => ({ path: resolve(base, fixed.join('/')), whole }));
}

/** Whether a path is one of the folders or in one. */
export function isInside(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => !isOutside(relative(directory, path)));
}

function isOutside(fromBase: string): boolean {
  return fromBase === '..' || fromBase.startsWith('../') || fromBase.startsWith('/');
}

interface Anchored {
  readonly bases: readonly string[];
  readonly rest: string;
  readonly floats: boolean;
}

function anchor(pattern: string, places: PathPlaces, strict: boolean): Anchored {
  const trimmed = withoutEnding(pattern, '/');
  const at = (bases: readonly string[], rest: string): Anchored => ({ bases, rest, floats: false });
  if (trimmed.startsWith('//')) return at(['/'], trimmed.slice(2));
  if (pattern === '//' || pattern === '~/') return at([pattern === '//' ? '/' : places.homeDir], '**');
  if (trimmed === '~' || trimmed.startsWith('~/')) return at([places.homeDir], trimmed.slice(2) || '**');
  const open = strict ? [places.projectDir, ...places.directories] : [places.projectDir];
  if (trimmed.startsWith('/')) return at(open, trimmed.slice(1));
  // Measured: a rule that forbids `./x` or `x/**` forbids `x` at any depth. One that allows is read as written.
  const name = strict ? trimmed.replace(/^\.\//, '').replace(/\/\*\*$/, '') : trimmed;
  if (isOneName(name)) return { bases: open, rest: name, floats: true };
  if (trimmed.startsWith('./')) return at(open, trimmed.slice(2));
  if (trimmed.startsWith('../')) return at([dirname(resolve(places.projectDir))], trimmed.slice(3));
  return at(open, trimmed);
}

function isOneName(pattern: string): boolean {
  return pattern !== '' && pattern !== '.' && pattern !== '..' && !pattern.includes('/');
}

type Matcher = (path: string) => boolean;
const made = new Map<string, Matcher>();

/** Making a matcher costs far more than asking it, and the same few rules are asked at every call. */
function matcher(glob: string, nocase: boolean): Matcher {
  const key = `${nocase}:${glob}`;
  const known = made.get(key);
  if (known) return known;
  if (made.size > 2000) made.clear();
  const match = picomatch(glob, { dot: true, nonegate: true, noextglob: true, nocase });
  made.set(key, match);
  return match;
}
