import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { fittingText } from './output/fittingCommand.ts';
import { buildProgram } from './program.ts';

const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];

function helpOf(command: Command, width: number): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => width,
  });
  command.outputHelp();
  return text;
}

const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;

/** A command line is never broken, nor is a word. */
const mayBeLong = (line: string, width: number) =>
  /^ *\$ /.test(line) || (line.trim().split(' ').length === 1 && line.trim().length > width - 35);

describe('the help of every command', () => {
  it('has examples', () => {
    const without = all(buildProgram([], () => {})).filter((one) => !/^ {2}\$ /m.test(helpOf(one, 80)));
    expect(without.map(nameOf)).toEqual([]);
  });

  it.each([80, 40])('fits a terminal of %d columns', (width) => {
    const long = all(buildProgram([], () => {})).flatMap((command) =>
      helpOf(command, width)
        .split('\n')
        .filter((line) => line.length > width && !mayBeLong(line, width))
        .map((line) => [nameOf(command), line]),
    );
    expect(long).toEqual([]);
  });
});

it('fills paragraphs, keeps lists and command lines, and moves what stands beside them below', () => {
  const text = `
Examples:
  $ stopgate demo                        watch it
  $ stopgate fleet up -n 4 -- --model opus    at most 4 workers

One line that is longer than
forty columns, in two lines.

Exit codes:
  0 done    1 something is still running    2 usage error
  stop         decides whether it may stop`;
  expect(fittingText(text, 40).split('\n')).toEqual([
    '',
    'Examples:',
    '  $ stopgate demo  watch it',
    '  $ stopgate fleet up -n 4 -- --model opus',
    '      at most 4 workers',
    '',
    'One line that is longer than forty',
    'columns, in two lines.',
    '',
    'Exit codes:',
    '  0 done    1 something is still running',
    '  2 usage error',
    '  stop',
    '      decides whether it may stop',
  ]);
  expect(fittingText(text, 60)).toContain('\n  0 done    1 something is still running    2 usage error\n');
  const events = '  stop            decides whether the agent may stop: runs the checks of stopgate.config.json';
  expect(fittingText(events, 80).split('\n')).toEqual([
    '  stop            decides whether the agent may stop: runs the checks of',
    '                  stopgate.config.json',
  ]);
  expect(fittingText(text, 120)).toContain('  $ stopgate demo                        watch it\n');
});
