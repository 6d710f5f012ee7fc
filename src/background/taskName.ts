import type { TaskKind } from '../schemas/backgroundRuns.ts';

const NAMES: Readonly<Record<TaskKind, string>> = {
  prompt_suggestion: 'prompt suggestion',
  memory_extraction: 'memory extraction',
  auto_dream: 'memory consolidation',
  job_classification: 'job classification',
  side_question: 'side question',
};

/** For people. */
export const taskName = (kind: TaskKind): string => NAMES[kind];
