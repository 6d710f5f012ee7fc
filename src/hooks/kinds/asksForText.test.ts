import { expect, it } from 'vitest';
import { asksForText } from './prompt.ts';

it.each([
  [true, 'Summarize what was done.'],
  [true, 'Please summarise the work: $ARGUMENTS'],
  [true, 'In one sentence, describe the change.'],
  [true, 'Write a short commit message for this work'],
  [true, 'List the files that were changed'],
  [true, 'Give me a brief summary'],
  [true, 'Tell the user what is left to do'],
  [false, 'Did it finish? $ARGUMENTS'],
  [false, 'Is the work done?'],
  [false, 'Check that all tests were run.'],
  [false, 'All tests must pass.'],
  [false, 'The tests were run and passed.'],
  [false, 'Summarize what was done, and block if tests were not run.'],
  [false, 'Summarize the work and verify that the tests pass'],
  [false, 'Describe what is missing if the task is not done'],
  [false, 'List what is missing. Answer {"ok": true} when nothing is.'],
  [false, 'Explain whether the agent may stop'],
  [false, 'Written tests exist for each change'],
  [false, 'Note: the README has to be updated. Only if it is, the agent may stop.'],
  [false, ''],
])('%s: %s', (expected, prompt) => {
  expect(asksForText(prompt)).toBe(expected);
});
