import type * as z from 'zod';
import { valueAt } from '../schemas/jsonValue.ts';
import type { Tool } from './tool.ts';

/** Checks a call against the tool's schema; the message lists what the model must fix, and where. */
export function parseToolInput(tool: Tool, input: unknown) {
  const parsed = tool.inputSchema.safeParse(input);
  if (parsed.success) return { type: 'ok', input: parsed.data } as const;
  const issues = parsed.error.issues.flatMap((issue) => describe(issue, input)).sort((a, b) => a.place - b.place);
  const which = issues.length === 1 ? 'issue' : 'issues';
  const lines = issues.map(({ text }) => text).join('\n');
  return {
    type: 'invalid',
    message: `InputValidationError: ${tool.name} failed due to the following ${which}:\n${lines}`,
  } as const;
}

interface DescribedIssue {
  /** What is missing is named first, then what is too much. */
  readonly place: number;
  readonly text: string;
}

function describe(issue: z.core.$ZodIssue, input: unknown): DescribedIssue[] {
  const at = (keys: readonly PropertyKey[]) => `\`${keys.join('.')}\``;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      place: 1,
      text: `An unexpected parameter ${at([...issue.path, key])} was provided`,
    }));
  }
  const name = issue.path.length === 0 ? '`input`' : at(issue.path);
  if (issue.code !== 'invalid_type') return [{ place: 3, text: `The parameter ${name}: ${issue.message}` }];
  const value = valueAt(input, issue.path);
  if (value === undefined) return [{ place: 0, text: `The required parameter ${name} is missing` }];
  const given = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  return [
    { place: 2, text: `The parameter ${name} type is expected as \`${issue.expected}\` but provided as \`${given}\`` },
  ];
}
