import type { PathPlaces } from '../matchPath.ts';
import { mayLieWithin, pathMatches } from '../matchPath.ts';
import { builtInNamed, compileRules, type Rule } from '../parseRule.ts';
import type { PermissionRules } from '../types.ts';

const SHOWS_CONTENT = new Set(['show', 'diff', 'blame', 'annotate', 'cat-file', 'grep', 'diff-tree']);
const PATCH =
  /^-[pULWSG]|^-[ucm]$|^--(?:p(?!retty)|unified|binary|function|dd|cc|remerge|diff-m|full-diff|word-diff|color-words)/;

/** Whether `git log` with these words prints what was in files. */
export function showsPatches(args: readonly string[]): boolean {
  return args.some((arg) => PATCH.test(arg));
}

/** Whether a command of git prints the content of tracked files that its words do not name. */
function showsTracked([name = '', ...args]: readonly string[]): boolean {
  if (name !== 'git') return false;
  const [command = '', ...rest] = args.filter((arg, at) => at > 0 || arg !== '--no-pager');
  if (command === 'status') return rest.some((arg) => /^-[a-z]*v|^--v/.test(arg));
  return SHOWS_CONTENT.has(command) || (command === 'log' && showsPatches(rest));
}

/**
 * A deny rule on reading that is about a tracked file, for a command of git that may show any of these. What a command
 * goes through in folders is looked for with deny rules in general (`fileQuestion`).
 */
export function trackedDenial(
  words: readonly string[],
  tracked: () => readonly (readonly string[] | undefined)[],
  facts: PathPlaces & { readonly rules: PermissionRules },
): Rule | undefined {
  if (!showsTracked(words)) return undefined;
  const rules = compileRules(facts.rules).deny.filter(
    ({ toolName, content }) =>
      builtInNamed(toolName) === 'Read' &&
      content !== undefined &&
      facts.directories.some((folder) => mayLieWithin(content, folder, facts)),
  );
  const [first] = rules;
  if (first === undefined) return undefined;
  const lists = tracked();
  if (lists.includes(undefined)) return first;
  return rules.find(({ content: pattern = '' }) =>
    lists.some((paths) => paths?.some((path) => mayFit(pattern, path) && isAbout(pattern, path))),
  );

  function isAbout(pattern: string, path: string): boolean {
    return pathMatches({ pattern, path, places: facts, strict: true });
  }
}

/** A plain name is looked for before the pattern is matched: an index has thousands of paths. */
function mayFit(pattern: string, path: string): boolean {
  return /[*?[{(!/~]/.test(pattern) || path.toLowerCase().includes(pattern.toLowerCase());
}
