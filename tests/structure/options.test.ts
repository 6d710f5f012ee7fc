import { expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { WITH_VALUES, WITHOUT_VALUE } from '../../src/cli/wiring/standing/supervisors.ts';

it('knows which options of the program take values, so that no value is read as a command', () => {
  const { options } = buildProgram([], () => {});
  const namesOf = (isOne: (option: (typeof options)[number]) => boolean) =>
    options.filter(isOne).flatMap(({ short, long }) => [short, long].filter((name) => name !== undefined));
  const flags = namesOf(({ required, optional }) => !required && !optional);
  expect(flags.filter((name) => !WITHOUT_VALUE.has(name))).toEqual([]);
  expect(
    [...WITHOUT_VALUE].filter((name) => namesOf(({ required, optional }) => required || optional).includes(name)),
  ).toEqual([]);
  expect(namesOf(({ variadic }) => variadic).filter((name) => !WITH_VALUES.has(name))).toEqual([]);
});
