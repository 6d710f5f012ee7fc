import type { ShellPart } from '../../permissions/shell/shellTypes.ts';
import { splitCommand } from '../../permissions/shell/splitCommand.ts';
import { ownValue } from '../../system/ownValue.ts';

/** Measured: programs that answer with exit code 1, and what it means. */
const MEANINGS: Readonly<Record<string, string>> = {
  grep: 'No matches found',
  egrep: 'No matches found',
  fgrep: 'No matches found',
  rg: 'No matches found',
  find: 'Some directories were inaccessible',
  diff: 'Files differ',
  'git diff': 'Files differ',
  test: 'Condition is false',
  '[': 'Condition is false',
};

const SUBSTITUTION = /[$<>]\([^()]*\)/g;
/** The end of a compound command: its last simple command is not the one whose exit code is seen. */
const COMPOUND = /(?:[)}]|\b(?:fi|done|esac))\s*$/;

/**
 * What an exit code other than 0 says, when it is an answer and no failure: by the last command of the line. As in Claude
 * Code, a command before `&&` that failed with 1 is taken for its answer too, so evidence keeps the code.
 */
export function exitMeaning(command: string, code: number): string | undefined {
  if (code !== 1 || COMPOUND.test(command.replaceAll(SUBSTITUTION, ''))) return undefined;
  const last = splitCommand(command).parts.at(-1);
  return last === undefined || last.assignments.length > 0 ? undefined : ownValue(MEANINGS, programOf(last));
}

function programOf({ words }: ShellPart): string {
  const [program = '', ...args] = words.map(({ text }) => text);
  if (program !== 'git') return program;
  // `-C folder` and `-c name=value` come before the command
  const at = args.findIndex((arg, index) => !arg.startsWith('-') && !/^-[cC]$/.test(args[index - 1] ?? ''));
  return `git ${args[at] ?? ''}`;
}
