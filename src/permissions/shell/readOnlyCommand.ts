import { type FoundCommand, findCommands } from './findCommands.ts';
import { onlyReads } from './readOnlyPrograms.ts';
import { namesIn } from './sameRow.ts';
import type { ShellRedirect, ShellWord } from './shellTypes.ts';

/**
 * Whether a shell command surely changes nothing. A wrong "no" costs a question, a wrong "yes" costs a file: what is not
 * a plain word, a known operator or a known option of a known program is a no.
 */
export function isReadOnlyCommand(text: string): boolean {
  const { commands, unclear, unusual } = findCommands(text);
  return unclear === undefined && unusual === undefined && commands.length > 0 && commands.every(isReadOnly);
}

function isReadOnly({ part, inner, transparent }: FoundCommand): boolean {
  if (part.assignments.length > 0 || part.inputs.length > 0 || !part.redirects.every(isHarmlessRedirect)) return false;
  return transparent ? inner.every(isReadOnly) : isReadOnlyWords(part.words);
}

/** `2>&1`, `>/dev/null`, and reading a file. */
function isHarmlessRedirect({ operator, target }: ShellRedirect): boolean {
  if (target.expands || target.globs) return false;
  if (operator.endsWith('&')) return /^\d$/.test(target.text);
  return target.text === '/dev/null' || operator === '<';
}

/** Whether one command, word by word, is known to only read. Wildcards are names of files, and so may be options. */
export function isReadOnlyWords(words: readonly ShellWord[]): boolean {
  const [head, ...args] = words;
  if (!head || head.expands || args.some(({ expands }) => expands)) return false;
  const rule = onlyReads(head.text);
  if (!rule) return false;
  const known = args.every(({ globs }) => !globs) || TAKES_FILES.has(head.text);
  // `[` looks like a wildcard where it stands as a name
  return (known || head.text === '[' || head.text === '[[') && rule(args.map(({ text }) => text));
}

/** Programs for which it does not matter which files they are given; a name that starts with a dash is looked for elsewhere. */
const TAKES_FILES = namesIn(
  'ls cat head tail wc stat du nl cut cmp comm paste tac rev fold od hexdump strings md5sum sha1sum sha256sum basename dirname realpath readlink echo grep egrep fgrep file sort',
);
