import { expect, it } from 'vitest';
import { splitToolList } from './splitToolList.ts';

it.each([
  ['', []],
  ['Bash', ['Bash']],
  ['Bash,Edit', ['Bash', 'Edit']],
  ['Bash Edit', ['Bash', 'Edit']],
  ['Bash(git *), Edit\nRead', ['Bash(git *)', 'Edit', 'Read']],
  ['Bash(git log, git diff) Edit(src/**)', ['Bash(git log, git diff)', 'Edit(src/**)']],
  ['Bash(echo (a b)),Read', ['Bash(echo (a b))', 'Read']],
  [' , ,Bash,, ', ['Bash']],
  ['Bash(open, Edit', ['Bash(open, Edit']],
])('splits %j', (text, expected) => {
  expect(splitToolList(text)).toEqual(expected);
});
