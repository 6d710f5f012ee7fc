import type * as z from 'zod';
import { valueAt } from '../schemas/jsonValue.ts';
import type { Tool } from './tool.ts';

/** Checks a call against the tool's schema; the message lists what the model must fix, and where. */
export function parseToolInput(tool: Tool, input: unknown) {
  const parsed = tool.inputSchema.safeParse(input);
  if (parsed.success) return { type: 'ok', input: parsed.data } as const;
  const issues = parsed.error.issues.flatMap((issue) => describe(issue, input));
  const count = issues.length === 1 ? 'this issue' : `these ${issues.length} issues`;
  const message = `InputValidationError: ${tool.name} was not run because of ${count}:\n${issues.join('\n')}`;
  return { type: 'invalid', message } as const;
}

function describe(issue: z.core.$ZodIssue, input: unknown): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `- unknown parameter \`${[...issue.path, key].join('.')}\``);
  }
  const place = issue.path.length === 0 ? 'the input' : `\`${issue.path.join('.')}\``;
  if (issue.code === 'invalid_type' && valueAt(input, issue.path) === undefined) {
    return [`- ${place} is missing: expected ${issue.expected}`];
  }
  return [`- ${place}: ${issue.message}`];
}
