import { expect, it } from 'vitest';
import { chosenTools } from './gatherPermissions.ts';

const KNOWN = ['Bash', 'Read', 'Agent'];

it.each([
  [undefined, undefined],
  [['default'], undefined],
  [[''], []],
  [['Bash,Read'], ['Bash', 'Read']],
  [
    ['Bash', 'Read'],
    ['Bash', 'Read'],
  ],
  [['Task'], ['Agent']],
])('%j offers %j', (flag, names) => {
  expect(chosenTools(flag, KNOWN)).toEqual({ names, warnings: [] });
});

it.each([
  [['Bash,Nope'], ['Bash'], 'Nope'],
  [['Read,bash'], ['Read'], 'bash'],
  [['Bash(ls)'], [], 'Bash(ls)'],
  [['Task', 'default'], ['Agent'], 'default'],
])('%j offers %j and names %j', (flag, names, unknown) => {
  const warning = `--tools: unknown tool ${JSON.stringify(unknown)}; the tools are Bash, Read, Agent.`;
  expect(chosenTools(flag, KNOWN)).toEqual({ names, warnings: [warning] });
});
