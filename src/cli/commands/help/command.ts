import type { Command } from 'commander';
import { nearestName } from '../../../system/nearestName.ts';

const EXAMPLES = `
Examples:
  $ stopgate help
  $ stopgate help fleet up                         the same as: stopgate fleet up --help`;

/** `stopgate help [COMMAND…]`. */
export function addHelpCommand(program: Command): void {
  program
    .command('help')
    .description('show the help of a command')
    .argument('[command...]', 'its words')
    .addHelpText('after', EXAMPLES)
    .action((words: readonly string[]) => showHelp(program, words));
}

function showHelp(program: Command, words: readonly string[]): void {
  let command = program;
  for (const word of words) {
    const named = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    command = named ?? command.error(unknownCommand(word, command), { code: 'commander.unknownCommand' });
  }
  command.outputHelp();
}

/** As Commander words it, with the nearest command of a group. */
export function unknownCommand(word: string, group: Command): string {
  const meant = nearestName(
    word,
    group.commands.map((one) => one.name()),
  );
  return `error: unknown command '${word}'${meant === undefined ? '' : `\n(Did you mean ${meant}?)`}`;
}
