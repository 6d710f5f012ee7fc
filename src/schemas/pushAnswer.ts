import * as z from 'zod';

const text = z.string().exactOptional();

/** What a worker answers when a command of its agent has it push its work: fields of the attempt's details. */
export const pushAnswer = z.strictObject({
  baseCommit: text,
  branch: text,
  worktree: text,
  continuedFrom: text,
  headCommit: text,
  wipRef: text,
  pushedCommit: text,
  pushedWip: text,
  pushProblem: text,
});

export type PushAnswer = z.output<typeof pushAnswer>;
