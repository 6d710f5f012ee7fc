import { expect, it } from 'vitest';
import { exitMeaning } from './exitMeaning.ts';

it.each([
  ['grep x f', 'No matches found'],
  ['cat f | grep x', 'No matches found'],
  ['true && grep "a | b" f > out.txt', 'No matches found'],
  ['echo a; egrep x f 2>/dev/null', 'No matches found'],
  ['echo a\nfgrep x f', 'No matches found'],
  ['false || rg x', 'No matches found'],
  ['find /nowhere -name x', 'Some directories were inaccessible'],
  ['diff a b', 'Files differ'],
  ['git diff --quiet', 'Files differ'],
  ['diff <(echo a) <(echo b)', 'Files differ'],
  ['git -C . -c a=b diff --no-index a b', 'Files differ'],
  ['test -f none', 'Condition is false'],
  ['echo $(grep x f)y; [ 1 = 2 ]', 'Condition is false'],
])('%j with exit code 1 means %j', (command, meaning) => {
  expect(exitMeaning(command, 1)).toBe(meaning);
  expect(exitMeaning(command, 2)).toBeUndefined();
});

it.each([
  'X=1 grep x f',
  'grep -q x f && echo yes',
  '[ -f none ] && echo yes',
  'grep x f; exit 1',
  '(grep x f)',
  'if true; then grep x f; fi',
  'timeout 5 grep x f',
  '/bin/grep x f',
  'bash -c "grep x f"',
  'git grep x',
  'cmp a b',
  '[[ -f none ]]',
  'npm test',
  '',
])('%j with exit code 1 has failed', (command) => {
  expect(exitMeaning(command, 1)).toBeUndefined();
});
