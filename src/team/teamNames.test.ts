import { expect, it } from 'vitest';
import { numberedId, numberOf, shortIdOf, slotId, slotOf } from './teamNames.ts';

const LONG = 'a-team.with_a-name-as-long-as-names-of-teams-may-be-0123456789';

it.each(['a', 'crew', LONG])('an id of team %s is one that the store takes, and gives its number again', (team) => {
  const id = numberedId(team, 123_456_789);
  expect(id).toMatch(/^[\w.:-]{4,64}$/);
  expect(numberOf(team, id)).toBe(123_456_789);
  expect(numberOf(`${team}2`, id)).toBeUndefined();
});

it.each([
  ['3.team-crew', '3'],
  ['3.team-other', '3.team-other'],
  ['03.team-crew', '03.team-crew'],
  ['k3f9q2hm0abc1234', 'k3f9q2hm'],
  ['my-task', 'my-task'],
])('%s is #%s to its team', (id, short) => {
  expect(shortIdOf('crew', id)).toBe(short);
});

it.each([
  { owner: 'ada', by: 'ada' },
  { owner: 'Ada Lovelace/2', by: 'bob' },
  { owner: '50%', by: '50%' },
])('a slot names %j', (slot) => {
  expect(slotOf('crew', slotId('crew', '3.team-crew', slot))).toEqual(slot);
});

it.each(['build-1', 'team-crew', 'team-crew/3', 'team-other/3/ada', 'team-crew/3/a/b/c'])('%s is not a slot', (id) => {
  expect(slotOf('crew', id)).toBeUndefined();
});
