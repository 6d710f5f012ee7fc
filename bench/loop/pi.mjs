import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { callId, callInput, LAST_TEXT, PROMPT, SYSTEM, TEXTS, TOOL } from './scenario.mjs';

/**
 * pi's `agentLoop`, the leaner of its two entry points, with replies pushed into pi's own event stream. Its faux provider is
 * not used, because it serializes the whole conversation at every request to estimate tokens, which no real one does.
 */
export async function makeContestant({ modules }) {
  const load = (name, file) => import(pathToFileURL(path.join(modules, name, file)));
  const { agentLoop } = await load('@earendil-works/pi-agent-core', 'dist/index.js');
  const { createAssistantMessageEventStream, Type } = await load('@earendil-works/pi-ai', 'dist/index.js');
  return { run: (steps, onEvent) => run(steps, onEvent, { agentLoop, createAssistantMessageEventStream, Type }) };
}

const MODEL = {
  id: 'bench',
  name: 'bench',
  api: 'bench',
  provider: 'bench',
  baseUrl: '',
  reasoning: false,
  input: ['text'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 100_000_000,
  maxTokens: 8000,
};
const USAGE = {
  input: 100,
  output: 20,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 120,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

async function run(steps, onEvent, { agentLoop, createAssistantMessageEventStream, Type }) {
  let toolRuns = 0;
  let sent = 0;
  let n = 0;
  const look = {
    name: TOOL.name,
    label: TOOL.name,
    description: TOOL.description,
    parameters: Type.Object({ path: Type.String(), line: Type.Number() }, { additionalProperties: false }),
    execute: async (_id, input) => {
      toolRuns++;
      return { content: [{ type: 'text', text: TOOL.run(input) }], details: {} };
    },
  };
  const streamFn = (_model, context) => {
    // minus the system prompt, which is a message to pi
    sent = context.messages.length - 1;
    const stream = createAssistantMessageEventStream();
    const number = n++;
    queueMicrotask(() => pushReply(stream, number, steps));
    return stream;
  };
  const system = { role: 'system', content: SYSTEM, timestamp: Date.now() };
  const prompt = { role: 'user', content: PROMPT, timestamp: Date.now() };
  const context = { messages: [], tools: [look] };
  const config = { model: MODEL, convertToLlm: (messages) => messages };
  for await (const event of agentLoop([system, prompt], context, config, undefined, streamFn)) onEvent(event);
  return { toolRuns, sent };
}

function pushReply(stream, n, steps) {
  const last = n === steps;
  const partial = {
    role: 'assistant',
    content: [],
    api: 'bench',
    provider: 'bench',
    model: 'bench',
    usage: USAGE,
    stopReason: last ? 'stop' : 'toolUse',
    timestamp: Date.now(),
  };
  const push = (event) => stream.push({ ...event, partial: { ...partial } });
  push({ type: 'start' });
  partial.content.push({ type: 'text', text: '' });
  push({ type: 'text_start', contentIndex: 0 });
  for (const text of last ? [LAST_TEXT] : TEXTS) {
    partial.content[0].text += text;
    push({ type: 'text_delta', contentIndex: 0, delta: text });
  }
  push({ type: 'text_end', contentIndex: 0, content: partial.content[0].text });
  if (!last) {
    const toolCall = { type: 'toolCall', id: callId(n), name: TOOL.name, arguments: callInput(n) };
    partial.content.push(toolCall);
    push({ type: 'toolcall_start', contentIndex: 1 });
    push({ type: 'toolcall_end', contentIndex: 1, toolCall });
  }
  stream.push({ type: 'done', reason: partial.stopReason, message: partial });
  stream.end(partial);
}
