import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { buildProgram } from './program.ts';
import { VERBS, verbOf } from './wiring/standing/verbs.ts';

const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);

it('lists who may use each command, and no others', () => {
  const program = buildProgram([], () => {});
  const names = program.commands.flatMap(leaves).map(verbOf);
  expect(names.toSorted()).toEqual(Object.keys(VERBS).toSorted());
});
