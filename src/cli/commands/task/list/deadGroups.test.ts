import { expect, it } from 'vitest';
import { pageFor } from '../../../output/page.ts';
import { deadGroups, deadText } from './deadGroups.ts';

const dead = (id: string, lastError: string | null) => ({ id, lastError });

const page = pageFor({ outIsTerminal: false, columns: 80 }, { cwd: '/p', homeDir: '/h', env: {} });
const verified = (commit: string, took: string) =>
  `Verification failed in a clean checkout of ${commit}: test -e nope exited 1 after ${took}.\nmore`;

it('groups by the first line without what differs, in the words of the newest one, the largest group first', () => {
  const groups = deadGroups([
    dead('a', 'it exited with code 1\nTypeError'),
    dead('k3v9hhhh1', 'Its budget is used up: $2.10 of $2.00, over all attempts.\nx'),
    dead('c', null),
    dead('7qn7hhhh2', 'Its budget is used up: 53s of 8s, over all attempts.'),
    dead('2m4chhhh3', 'Its budget is used up: 1m03s of 850ms, over all attempts.'),
    dead('v1', verified('3edbd1abce5b', '12ms')),
    dead('v2', verified('8fac4b0deadb', '1m03s')),
    dead('v3', verified('abcdefab1cde', '2.5s')),
    dead('w1hhhhhhhh', 'no folder /w/w1hhhhhhhh-1'),
    dead('w2hhhhhhhh', 'no folder /w/w2hhhhhh-2'),
  ]);
  expect(groups.map(({ reason, ids }) => [reason, ids])).toEqual([
    ['Verification failed in a clean checkout of 3edbd1abce5b: test -e nope exited 1 after 12ms.', ['v1', 'v2', 'v3']],
    ['Its budget is used up: 53s of 8s, over all attempts.', ['7qn7hhhh2', '2m4chhhh3']],
    ['no folder /w/w1hhhhhhhh-1', ['w1hhhhhhhh', 'w2hhhhhhhh']],
    ['it exited with code 1', ['a']],
    ['Its budget is used up: $2.10 of $2.00, over all attempts.', ['k3v9hhhh1']],
    ['no reason is known', ['c']],
  ]);
  expect(deadText(groups, page)).toContain(
    '    2  Its budget is used up: 53s of 8s, over all attempts.\n       7qn7hhhh2, ',
  );
  expect(deadText([], page)).toBe('No task is dead.\n');
});
