import { expect, it } from 'vitest';
import { planItems } from './planItems.ts';
import { readMarkdown } from './readMarkdown.ts';

async function dependencies(text: string, after: readonly string[] = []) {
  const looked: string[] = [];
  const findId = async (ref: string) => {
    looked.push(ref);
    return `id-of-${ref}`;
  };
  const tasks = await planItems({ items: readMarkdown(text), defaults: {}, after, now: 0, findId });
  return { looked, refs: tasks.map(({ dependsOn }) => dependsOn) };
}

it.each([
  ['nothing by default', '- a\n  - b', [[], []]],
  ['a key', '- a (key: x)\n- b (after: x)', [[], [{ position: 0 }]]],
  ['a title, in any case', '- Build it\n- b (after: build IT)', [[], [{ position: 0 }]]],
  ['a number of the list', '1. a\n2. b (after: 1)', [[], [{ position: 0 }]]],
  [
    'a key before a title before a number',
    '1. 2\n2. x (key: 1)\n3. c (after: 1, 2)',
    [[], [], [{ position: 1 }, { position: 0 }]],
  ],
  ['nothing done already', '- [x] a\n- b (after: a)', [[]]],
])('lets a task wait for %s', async (_what, text, refs) => {
  expect(await dependencies(text)).toEqual({ looked: [], refs });
});

it('looks for every other name in the store, once', async () => {
  const { looked, refs } = await dependencies('- a (after: k3v9)\n- b (after: k3v9)', ['whole']);
  expect(looked).toEqual(['k3v9']);
  expect(refs).toEqual([
    ['whole', 'id-of-k3v9'],
    ['whole', 'id-of-k3v9'],
  ]);
});

it('does not guess between two of one name', async () => {
  await expect(dependencies('- a\n- a\n- b (after: a)')).rejects.toThrow(/Line 3: several tasks/);
});
