import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { callId, callInput, LAST_TEXT, PROMPT, SYSTEM, TEXTS, TOOL } from './scenario.mjs';

/** The AI SDK's `streamText` over a provider model made of the same replies; its own mock keeps every request. */
export async function makeContestant({ modules }) {
  const sdk = await import(pathToFileURL(path.join(modules, 'ai', 'dist', 'index.js')));
  return { run: (steps, onEvent) => run(steps, onEvent, sdk) };
}

const USAGE = {
  inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 20, text: 20, reasoning: 0 },
};

async function run(steps, onEvent, { streamText, tool, jsonSchema, isStepCount }) {
  let toolRuns = 0;
  let sent = 0;
  let n = 0;
  const model = {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'bench',
    supportedUrls: {},
    doStream: async ({ prompt }) => {
      // minus the system prompt
      sent = prompt.length - 1;
      return { stream: ReadableStream.from(parts(n++, steps)) };
    },
  };
  const look = tool({
    description: TOOL.description,
    inputSchema: jsonSchema(TOOL.jsonSchema),
    execute: async (input) => {
      toolRuns++;
      return TOOL.run(input);
    },
  });
  const result = streamText({
    model,
    instructions: SYSTEM,
    prompt: PROMPT,
    tools: { [TOOL.name]: look },
    stopWhen: isStepCount(steps + 2),
  });
  for await (const event of result.stream) {
    if (event.type === 'error') throw event.error;
    onEvent(event);
  }
  return { toolRuns, sent };
}

function parts(n, steps) {
  const last = n === steps;
  const texts = last ? [LAST_TEXT] : TEXTS;
  const call = { type: 'tool-call', toolCallId: callId(n), toolName: TOOL.name, input: JSON.stringify(callInput(n)) };
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '0' },
    ...texts.map((delta) => ({ type: 'text-delta', id: '0', delta })),
    { type: 'text-end', id: '0' },
    ...(last ? [] : [call]),
    { type: 'finish', finishReason: { unified: last ? 'stop' : 'tool-calls', raw: undefined }, usage: USAGE },
  ];
}
