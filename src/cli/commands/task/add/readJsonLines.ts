import type { z } from 'zod';
import { newTaskLine } from '../../../../schemas/newTasks.ts';
import { nearestName } from '../../../../system/nearestName.ts';
import type { ReadTasks, TaskItem } from './planItems.ts';

/** One JSON object per line; empty lines are skipped. The first error ends it: a batch is added whole or not at all. */
export function readJsonLines(text: string): ReadTasks {
  const items: TaskItem[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const item = readLine(line, index + 1);
    if (typeof item === 'string') return { type: 'broken', reason: `Line ${index + 1} ${item}` };
    items.push(item);
  }
  return { type: 'read', items, skipped: [] };
}

function readLine(line: string, number: number): TaskItem | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return `is not JSON: ${(error as Error).message}.`;
  }
  const parsed = newTaskLine.safeParse(value);
  return parsed.success ? { line: number, fields: parsed.data } : whyNot(parsed.error);
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
