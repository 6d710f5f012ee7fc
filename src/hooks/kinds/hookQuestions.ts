import { PassThrough } from 'node:stream';
import { HookPromptSchema } from '../../schemas/hookOutputs.ts';
import { jsonValue } from '../../schemas/jsonValue.ts';
import type { RequestPrompt } from '../types.ts';

/** Longer lines are not questions. */
const LONGEST_LINE = 16_384;

/**
 * A command hook that asks the person. It prints one line of JSON,
 * `{"prompt": "id", "message": "…", "options": [{"key": "y", "label": "Yes"}]}`, and reads the answer as a line on its stdin:
 * `{"prompt_response": "id", "selected": "y"}`, with `null` when the person does not answer.
 */
export function hookQuestions(eventJson: string, requestPrompt: RequestPrompt, signal: AbortSignal) {
  /** The event, then the answers. */
  const input = new PassThrough();
  input.write(`${eventJson.trimEnd()}\n`);
  let rest = '';
  return {
    input,
    read: (chunk: string) => {
      const lines = `${rest}${chunk}`.split('\n');
      rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
      for (const line of lines) void answer(line);
    },
  };

  async function answer(line: string): Promise<void> {
    const question = questionIn(line);
    if (question === undefined) return;
    // a question that cannot be shown counts as not answered
    const selected = await requestPrompt(question, signal).catch(() => null);
    if (!input.destroyed) input.write(`${JSON.stringify({ prompt_response: question.prompt, selected })}\n`);
  }
}

/** The rest of its output: the answer to the event. */
export function withoutQuestions(stdout: string): string {
  return stdout
    .split('\n')
    .filter((line) => questionIn(line) === undefined)
    .join('\n');
}

function questionIn(line: string) {
  if (!line.includes('"prompt"')) return undefined;
  return HookPromptSchema.safeParse(jsonValue(line)).data;
}
