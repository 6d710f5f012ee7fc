import { compileRules } from '../compiledRules.ts';
import { mayLieWithin, type PathPlaces } from '../matchPath.ts';
import { builtInNamed, type Rule } from '../parseRule.ts';
import type { PermissionRules } from '../types.ts';

/** A deny rule on reading that may be about files in the open folders. */
export function readDenial(facts: PathPlaces & { readonly rules: PermissionRules }): Rule | undefined {
  return compileRules(facts.rules).deny.find(
    ({ toolName, content }) =>
      builtInNamed(toolName) === 'Read' &&
      content !== undefined &&
      facts.directories.some((folder) => mayLieWithin(content, folder, facts)),
  );
}

const SHOWS_CONTENT = new Set(['show', 'diff', 'blame', 'annotate', 'cat-file', 'grep']);
const PATCH = /^-[pULWSG]|^-[ucm]$|^--(?:p(?!retty)|unified|cc|remerge|diff-m|full-diff|word-diff|color-words)/;

/** Whether a command prints the content of files that its words do not name. */
export function searchesContent([name = '', ...args]: readonly string[], isFolder: (text: string) => boolean): boolean {
  if (name === 'rg') return !args.includes('--version');
  if (/^[ef]?grep$/.test(name)) return args.some((arg) => /^-[^-]*[rRd]|^--(?:r|de|di)/.test(arg));
  // two folders are compared file by file
  if (name === 'diff') return args.some((arg) => !arg.startsWith('-') && isFolder(arg));
  if (name !== 'git') return false;
  const [command = '', ...rest] = args.filter((arg, at) => at > 0 || arg !== '--no-pager');
  if (command === 'status') return rest.some((arg) => /^-[a-z]*v|^--v/.test(arg));
  return SHOWS_CONTENT.has(command) || (command === 'log' && rest.some((arg) => PATCH.test(arg)));
}
