import { describe, expect, it } from 'vitest';
import type { DreamAnswer } from '../../schemas/memory.ts';
import type { Memory } from '../memory/memoryFile.ts';
import { planDream } from './planDream.ts';

const memory = (name: string, content: string, more: Partial<Memory> = {}): Memory => ({
  name,
  description: name,
  type: 'project',
  created: '2026-01-01',
  session: 's1',
  evidence: 'user',
  quote: '',
  content,
  ...more,
});

const memories = [
  memory('tests-a', 'Tests run with make check.'),
  memory('tests-b', 'Tests: always make check, never npm test.', {
    created: '2026-02-01',
    session: 's2',
    evidence: 'tool',
  }),
  memory('deploy', 'Deploys go to staging first.'),
  memory('old', 'The build server is jenkins01.'),
];
const now = Date.parse('2026-11-01T00:00:00Z');
const merge = (more: object = {}): DreamAnswer['write'][number] => ({
  name: 'tests',
  description: 'How tests run',
  type: 'project',
  content: 'Tests always run with make check, never with npm test.',
  merged_from: ['tests-a', 'tests-b'],
  ...more,
});

describe('planDream', () => {
  it('merges, drops what is stale, and leaves the rest alone', () => {
    const answer = { write: [merge()], drop: [{ name: 'old', reason: 'gone' }] };
    const planned = planDream(answer, memories, now);
    expect(planned).toMatchObject({
      type: 'plan',
      plan: {
        write: [{ name: 'tests', created: '2026-01-01', session: 's2', updated: '2026-11-01T00:00:00.000Z' }],
        remove: ['old', 'tests-a', 'tests-b'],
      },
    });
  });

  it('a merged fact is trusted no more than the least of those it was made from', () => {
    expect(planDream({ write: [merge()], drop: [] }, memories, now)).toMatchObject({
      plan: { write: [{ evidence: 'tool' }] },
    });
  });

  it('keeps a name that is merged into itself', () => {
    const planned = planDream({ write: [merge({ name: 'tests-a' })], drop: [] }, memories, now);
    expect(planned).toMatchObject({ plan: { write: [{ name: 'tests-a' }], remove: ['tests-b'] } });
  });

  it.each<[string, DreamAnswer, RegExp]>([
    [
      'forgets most',
      { write: [], drop: memories.slice(0, 3).map(({ name }) => ({ name, reason: '' })) },
      /drop 3 of 4/,
    ],
    ['names what is not there', { write: [], drop: [{ name: 'nothing', reason: '' }] }, /names nothing/],
    ['invents', { write: [merge({ merged_from: [] })], drop: [] }, /made from nothing/],
    ['loses the details', { write: [merge({ content: 'There are tests.' })], drop: [] }, /loses most/],
    ['overwrites another fact', { write: [merge({ name: 'deploy' })], drop: [] }, /would replace a fact/],
    ['writes one name twice', { write: [merge(), merge()], drop: [] }, /twice/],
    [
      'writes a secret',
      { write: [merge({ content: 'Tests always make check never npm, token: abcdef123456' })], drop: [] },
      /secret/,
    ],
  ])('refuses a dream that %s', (_name, answer, reason) => {
    expect(planDream(answer, memories, now)).toMatchObject({ type: 'refused', reason });
  });
});
