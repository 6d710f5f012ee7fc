import type { FoundCommand } from './findCommands.ts';
import { isOpen, type KnownVariables, wordsWithValues } from './knownVariables.ts';
import { namesIn } from './sameRow.ts';
import type { ShellWord } from './shellTypes.ts';
import { commandName } from './unwrapCommand.ts';

/** Programs that can be made to run or write something by an option. */
const WITH_EFFECTIVE_OPTIONS = namesIn(
  'git find gfind fd tar gtar bsdtar sort rg sed awk gawk ssh scp sftp rsync man go npm gcc g++ split zip vim vi nvim less wget tree strace gdb',
);
/** After one of these a word is a value, whatever it begins with. */
const TAKES_VALUE =
  /^(?:-m|-F|-b|-B|-C|-S|-G|-n|-L|-t|-k|-d|-p|--message|--author|--date|--title|--body|--file|--grep|--since|--until|--branch)$/;
/** Commands whose output never begins with a dash: a commit's name, a date, a number, an absolute path. */
export const PLAIN_OUTPUT =
  /^"?(?:\$\(|`)(?:git (?:rev-parse|merge-base|describe|branch --show-current)|date|pwd|nproc|seq|mktemp|whoami|hostname)(?: [\w./:@^~%+{}' -]*)?(?:\)|`)"?/;
/** Commands that print numbers: how many lines, or which. */
export const NUMBERS =
  /^"?\$\((?:wc -[lcw] *< *[\w./-]+|grep -c ['"]?\w+['"]? [\w./][\w./-]*|grep -n ['"]?\w+['"]? [\w./][\w./-]* *\| *(?:head -n? ?1 *\| *)?cut -d: -f1)\)(?:,?\+?\d*p?)?"?$/;

/**
 * The first word of a command that may come out as an option which runs or writes something: `git log $(cat f)`. A
 * rule with a wildcard for the command does not cover that.
 */
export function mayBeOption({ part }: FoundCommand, known: KnownVariables): ShellWord | undefined {
  const [head, ...words] = part.words;
  if (!WITH_EFFECTIVE_OPTIONS.has(commandName(head?.text ?? ''))) return undefined;
  const end = words.findIndex(({ text }) => text === '--');
  return words.slice(0, end < 0 ? words.length : end).find((word, at) => {
    if (!word.expands || PLAIN_OUTPUT.test(word.raw)) return false;
    const quoted = word.raw.startsWith('"') && word.raw.endsWith('"');
    if (quoted && TAKES_VALUE.test(words[at - 1]?.text ?? '')) return false;
    return wordsWithValues(word, known).some((one) => beginsOpen(one, quoted, known));
  });
}

function beginsOpen(word: ShellWord, quoted: boolean, known: KnownVariables): boolean {
  if (!isOpen(word, known)) return word.text.startsWith('-') && !/^-[$`]/.test(word.text);
  // what is split may have an option in its middle
  return !quoted || /^[$`-]/.test(word.text);
}
