import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { buildProgram } from '../../program.ts';
import { VERBS, verbOf } from './verbs.ts';

const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);

it('says of every command who may use it, and of no other', () => {
  const program = buildProgram([], () => {});
  const names = program.commands.flatMap(leaves).map(verbOf);
  expect(names.toSorted()).toEqual(Object.keys(VERBS).toSorted());
});
