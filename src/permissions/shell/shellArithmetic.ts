import { namesIn } from './sameRow.ts';
import type { ShellCursor, ShellPart } from './shellTypes.ts';

/**
 * Numbers, names, `$name` and operators. A subscript, a quote or a command in a sum can run anything. A name is taken whole:
 * with several ways to take a text apart, one that does not match would be tried in all of them.
 */
const SUM = /\(\(((?:[\d\s+\-*/%<>=!&|^~?:,()]|\$?[A-Za-z_]\w*(?!\w)|\$[#?\d])*?)\)\)/y;

/**
 * Reads `((…))` whose first parenthesis stands at `open`; false when it is anything but a plain sum. Bash evaluates the
 * value of every name in it, again and again: where `x` is `a[$(cmd)]`, `$((x))` runs cmd.
 */
export function readArithmetic(cursor: ShellCursor, open: number): boolean {
  SUM.lastIndex = open;
  const match = SUM.exec(cursor.text);
  if (!match || !isBalanced(match[1] ?? '')) return false;
  for (const [name] of (match[1] ?? '').matchAll(/[A-Za-z_]\w*/g)) cursor.evaluated.add(name);
  cursor.at = SUM.lastIndex;
  return true;
}

/** Where a sum ends is only sure when its own parentheses are paired. */
function isBalanced(sum: string): boolean {
  let depth = 0;
  for (const char of sum) {
    if (char === '(') depth++;
    else if (char === ')' && --depth < 0) return false;
  }
  return depth === 0;
}

/** Builtins that give variables values which the line does not show. */
const SETTERS = namesIn(
  'read mapfile readarray printf getopts declare typeset local export readonly let unset source . eval',
);
const PLAIN_VALUE = /^\w+=(?:[\w.]*|"\$[#?]"|\$[#?]|\$\(\([\w\s+\-*/%]*\)\))$/;

/** Names that programs and build services give no values to: `PR_TITLE` may hold what a stranger wrote. */
const OWN_NAME = /^[a-z][a-z0-9_]*$/;

/**
 * Whether a value that the line evaluates may hold a command. It may not when the line itself gives the variable its
 * values, each of them written out as a plain word or a sum.
 */
export function mayEvaluateCommand(names: ReadonlySet<string>, parts: readonly ShellPart[]): boolean {
  if (names.size === 0) return false;
  if (parts.some(({ words: [head] }) => head !== undefined && SETTERS.has(head.text))) return true;
  const assignments = parts.flatMap((part) => part.assignments);
  return [...names].some((name) => {
    const own = assignments.filter((assignment) => assignment.name === name);
    return !OWN_NAME.test(name) || own.length === 0 || !own.every(({ raw }) => PLAIN_VALUE.test(raw));
  });
}
