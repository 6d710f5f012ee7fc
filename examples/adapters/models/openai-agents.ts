import type { Model } from '@openai/agents';
import { TURNS } from './turns.ts';

const USAGE = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

export function scriptedModel(): Model {
  let at = 0;
  return {
    getResponse: async () => {
      throw new Error('This example streams.');
    },
    async *getStreamedResponse() {
      const turn = TURNS[Math.min(at++, TURNS.length - 1)] ?? TURNS[0];
      if ('text' in turn) yield { type: 'output_text_delta', delta: turn.text };
      yield { type: 'response_done', response: { id: `response-${at}`, output: [itemOf(turn)], usage: USAGE } };
    },
  };
}

function itemOf(turn: (typeof TURNS)[number]) {
  if ('text' in turn) {
    const content = [{ type: 'output_text' as const, text: turn.text }];
    return { type: 'message' as const, role: 'assistant' as const, status: 'completed' as const, content };
  }
  const { name, input } = turn.tool;
  const call = { callId: 'call', name, arguments: JSON.stringify(input), status: 'completed' as const };
  return { type: 'function_call' as const, ...call };
}
