import { expect, it } from 'vitest';
import { untilDone } from '../../src/adapters/mastra.ts';
import { describeLoop, type Loop, type LoopRun, project, type Reply, type Sent, script } from './contract.ts';
import { itRunsItsExample } from './example.ts';
import { findPeer, importFrom } from './peer.ts';

const peer = await findPeer('mastra');
const { Agent } = await importFrom(peer, '@mastra/core/agent');
const { createTool } = await importFrom(peer, '@mastra/core/tools');
const { Mastra } = await importFrom(peer, '@mastra/core');
const { MockMemory } = await importFrom(peer, '@mastra/core/memory');
const { z } = await importFrom(peer, 'zod');

type Prompt = readonly { role: string; content: string | readonly { type: string; text?: string }[] }[];

const USAGE = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };

/** A model of the AI SDK's second specification, which Mastra takes as it is. */
function model(replies: readonly Reply[], requests: Sent[][]) {
  const next = script(replies);
  const parts = ({ prompt }: { prompt: Prompt }) => {
    requests.push(prompt.map(sent));
    const { text, tool } = next();
    const call = { type: 'tool-call', toolCallId: `call-${requests.length}`, toolName: tool, input: '{}' };
    return { part: tool ? call : { type: 'text', text }, finishReason: tool ? 'tool-calls' : 'stop' };
  };
  return {
    specificationVersion: 'v2',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async (request: { prompt: Prompt }) => {
      const { part, finishReason } = parts(request);
      return { content: [part], finishReason, usage: USAGE, warnings: [] };
    },
    doStream: async (request: { prompt: Prompt }) => {
      const { part, finishReason } = parts(request);
      const pieces = 'text' in part ? textPieces(String(part.text)) : [part];
      const events = [
        { type: 'stream-start', warnings: [] },
        ...pieces,
        { type: 'finish', finishReason, usage: USAGE },
      ];
      return { stream: ReadableStream.from(events) };
    },
  };
}

const textPieces = (delta: string) => [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta },
  { type: 'text-end', id: '1' },
];

function sent({ role, content }: Prompt[number]): Sent {
  const text = typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
  return { role: (role === 'user' || role === 'assistant') && text !== '' ? role : 'other', text };
}

function agentOf(replies: readonly Reply[], requests: Sent[][]) {
  const look = createTool({
    id: 'look',
    description: 'Looks.',
    inputSchema: z.object({}),
    execute: async () => ({ ok: true }),
  });
  const agent = new Agent({
    id: 'a',
    name: 'a',
    instructions: 'Work.',
    model: model(replies, requests),
    tools: { look },
  });
  // without the stack traces that it logs for a run that fails
  return new Mastra({ agents: { agent }, logger: false }).getAgent('agent');
}

async function run({ gate, replies, adapter, signal, stream }: LoopRun, more: object = { maxSteps: 50 }) {
  const requests: Sent[][] = [];
  const agent = agentOf(replies, requests);
  const options = { ...more, ...untilDone(gate, adapter), abortSignal: signal };
  if (!stream) {
    const { text, steps } = await agent.generate('Do it.', options);
    return { requests, answer: steps.at(-1)?.text ?? text, streamed: '' };
  }
  const result = await agent.stream('Do it.', options);
  let streamed = '';
  for await (const chunk of result.fullStream) if (chunk.type === 'text-delta') streamed += chunk.payload.text;
  const steps = await result.steps;
  return { requests, answer: steps.at(-1).text, streamed };
}

const loop: Loop = { run, abort: 'resolves' };
describeLoop('stopgate/mastra', peer.type === 'missing', () => loop);

it.skipIf(peer.type === 'missing')('says once that maxSteps ended the run before the gate did', async () => {
  await using at = await project();
  const adapter = { ...at.adapter, onWarning: (warning: string) => void at.warnings.push(warning) };
  const { requests } = await run(
    { gate: at.gate({ stallAfter: 9 }), replies: [at.answers('no')], adapter },
    { maxSteps: 2 },
  );
  expect(requests).toHaveLength(2);
  expect(at.verdicts.map(({ type }) => type)).toEqual(['goOn', 'goOn']);
  expect(at.warnings).toEqual([expect.stringContaining('maxSteps (2) of Mastra ended the run: nothing is proven')]);
});

it.skipIf(peer.type === 'missing')('says that the default of five steps ended the run with calls open', async () => {
  await using at = await project();
  const adapter = { ...at.adapter, onWarning: (warning: string) => void at.warnings.push(warning) };
  const { requests } = await run({ gate: at.gate(), replies: [{ tool: 'look' }], adapter }, {});
  expect(requests).toHaveLength(5);
  expect(at.verdicts).toEqual([]);
  expect(at.warnings).toEqual([expect.stringContaining('at its limit of 5 steps, so the gate was not asked')]);
});

it.skipIf(peer.type === 'missing')('a thread in memory has each message once and in order', async () => {
  await using at = await project();
  const requests: Sent[][] = [];
  const replies = [at.answers('no'), at.answers('yes'), { text: 'later' }];
  const memory = new MockMemory();
  const agent = new Agent({ id: 'a', name: 'a', instructions: 'Work.', model: model(replies, requests), memory });
  const thread = { memory: { thread: 'thread', resource: 'person' } };
  await agent.generate('Do it.', { ...thread, maxSteps: 9, ...untilDone(at.gate(), at.adapter) });
  await agent.generate('And now?', thread);
  const words = requests.at(-1)?.filter(({ role }) => role !== 'other');
  const feedback = expect.stringContaining('answer is no');
  expect(words?.map(({ text }) => text)).toEqual(['Do it.', 'no', feedback, 'yes', 'And now?']);
});

itRunsItsExample('mastra', peer);
