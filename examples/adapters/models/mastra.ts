import { TURNS } from './turns.ts';

const USAGE = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** A model of the AI SDK, as Mastra takes it. */
export function scriptedModel() {
  let at = 0;
  const next = () => {
    const turn = TURNS[Math.min(at++, TURNS.length - 1)] ?? TURNS[0];
    if ('text' in turn) return { part: { type: 'text' as const, text: turn.text }, finishReason: 'stop' as const };
    const { name: toolName, input } = turn.tool;
    const part = { type: 'tool-call' as const, toolCallId: 'call', toolName, input: JSON.stringify(input) };
    return { part, finishReason: 'tool-calls' as const };
  };
  return {
    specificationVersion: 'v2' as const,
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async () => {
      const { part, finishReason } = next();
      return { content: [part], finishReason, usage: USAGE, warnings: [] };
    },
    doStream: async (): Promise<never> => {
      throw new Error('This example does not stream.');
    },
  };
}
