import { expect, it } from 'vitest';
import { bodyOf, textOf } from './taskNotes.ts';

it.each([
  { description: '', notes: {} },
  { description: 'Do it.\n\nWell.', notes: {} },
  { description: '', notes: { activeForm: 'Doing it' } },
  { description: 'Do it.\n', notes: { activeForm: 'a --> b', owner: 'ada\n' } },
])('reads again what it wrote: %j', (text) => {
  expect(textOf(bodyOf(text))).toEqual(text);
});

it.each(['<!-- stopgate-team {broken} -->', 'x\n\n<!-- stopgate-team {"owner":7} -->', '<!-- other -->'])(
  'leaves alone what is none of its notes: %j',
  (body) => {
    expect(textOf(body)).toEqual({ description: body, notes: {} });
  },
);
