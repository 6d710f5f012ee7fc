import type { z } from 'zod';
import { newTaskLine } from '../../../../schemas/newTasks.ts';
import { nearestName } from '../../../../system/nearestName.ts';
import { UserError } from '../../../../system/userError.ts';
import type { TaskItem } from './planItems.ts';

/** One JSON object per line; empty lines are skipped. The first error ends it: a batch is added whole or not at all. */
export function readJsonLines(text: string): readonly TaskItem[] {
  return text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [readLine(line, index + 1)]));
}

function readLine(text: string, line: number): TaskItem {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UserError(`Line ${line} is not JSON: ${(error as Error).message}.`);
  }
  const parsed = newTaskLine.safeParse(value);
  if (parsed.success) return { line, fields: parsed.data };
  throw new UserError(`Line ${line} ${whyNot(parsed.error)}`);
}

function whyNot({ issues }: z.ZodError): string {
  // a misspelled field is also a missing one; the misspelling is the better message
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown) {
    const [key = ''] = unknown.keys;
    const nearest = nearestName(key, Object.keys(newTaskLine.shape));
    return `has an unknown field ${JSON.stringify(key)}${nearest ? `; did you mean ${nearest}?` : '.'}`;
  }
  const [issue] = issues;
  const message = issue?.message.replace(/^Invalid input: /, '') ?? '';
  return issue?.path.length ? `has an invalid ${issue.path.join('.')}: ${message}.` : `is not a task: ${message}.`;
}
