import { expect, it } from 'vitest';
import { fakeTool } from '../../testing/tools.ts';
import { findSubagentType, subagentMaxTurns, subagentTools } from './subagentTypes.ts';

const DEFINED = [
  { name: 'Reviewer', description: 'Reviews', prompt: 'Review.' },
  { name: 'Explore', description: 'Own', prompt: 'Own.' },
];

it.each([
  ['Explore', 'Explore'],
  ['explore', 'Explore'],
  [' Explore', 'Explore'],
  ['General Purpose', 'general-purpose'],
  ['general_purpose', 'general-purpose'],
  ['Plan', 'Plan'],
  ['claude', 'claude'],
  ['reviewer', 'Reviewer'],
])('%j is %s', (wanted, name) => {
  expect(findSubagentType(wanted, DEFINED)).toMatchObject({ type: 'found', name });
});

it('lets a definition replace a built-in kind', () => {
  expect(findSubagentType('explore', DEFINED)).toMatchObject({ kind: { prompt: 'Own.' } });
});

it.each(['unknown', '', 'constructor', 'toString'])('does not know %j and lists what there is', (wanted) => {
  expect(findSubagentType(wanted, DEFINED)).toEqual({
    type: 'unknown',
    message: `Agent type '${wanted}' not found. Available agents: claude, Explore, general-purpose, Plan, Reviewer`,
  });
});

it.each([
  ['all but Agent', {}, ['Bash', 'Read']],
  ['those it lists', { tools: ['Read', 'Agent'] }, ['Read']],
  ['none that it forbids', { disallowedTools: ['Bash'] }, ['Read']],
  ['none that it both lists and forbids', { tools: ['Bash'], disallowedTools: ['Bash'] }, []],
])('a kind has %s', (_name, more, names) => {
  const parent = ['Agent', 'Bash', 'Read'].map((name) => fakeTool(name));
  const tools = subagentTools(parent, { description: '', prompt: '', ...more });
  expect(tools.map(({ name }) => name)).toEqual(names);
});

it.each([
  [undefined, undefined, undefined],
  [3, undefined, 3],
  [undefined, 5, 5],
  [3, 5, 3],
  [9, 5, 5],
])('a parent with %s and a kind with %s: at most %s requests', (parent, own, limit) => {
  const kind = { description: '', prompt: '', ...(own === undefined ? {} : { maxTurns: own }) };
  expect(subagentMaxTurns(parent, kind)).toBe(limit);
});
