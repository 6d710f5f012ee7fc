import type { Command, Option } from 'commander';
import { UserError } from '../../../system/userError.ts';

/** Options of the program itself that count for every command. */
const FOR_ALL = new Set(['debug', 'store']);

/**
 * Commander gives an option that the program knows to the program, wherever it stands. A command that does not know it would
 * run without it: `stopgate launch --disallowedTools "Bash(git push *)" …` would start an agent that may push.
 */
export function refuseForeignOptions(program: Command, command: Command): void {
  if (command === program) return;
  const known = new Set(pathOf(command).flatMap(({ options }) => options.map((option) => option.attributeName())));
  const foreign = program.options.filter((option) => isGiven(program, option) && !known.has(option.attributeName()));
  const [first] = foreign.filter((option) => !FOR_ALL.has(option.attributeName()));
  if (first === undefined) return;
  const name = pathOf(command)
    .map((one) => one.name())
    .join(' ');
  const passesWordsOn = command.registeredArguments.some(({ variadic }) => variadic);
  const fix = passesWordsOn ? 'options of the agent go after --' : `stopgate ${name} --help lists what it takes`;
  throw new UserError(`${first.long ?? first.short} is not an option of stopgate ${name}; ${fix}.`);
}

const isGiven = (program: Command, option: Option) => program.getOptionValueSource(option.attributeName()) === 'cli';

/** The command and the groups it is in, without the program itself. */
function pathOf(command: Command): Command[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command];
}
