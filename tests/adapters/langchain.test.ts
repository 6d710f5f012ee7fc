import { describe, expect, it } from 'vitest';
import { untilDone } from '../../src/adapters/langchain.ts';
import { describeLoop, type Loop, type LoopRun, project, type Reply, type Sent, script } from './contract.ts';
import { itRunsItsExample } from './example.ts';
import { findPeer, importFrom } from './peer.ts';

const peer = await findPeer('langchain');
const isMissing = peer.type === 'missing';
const { createAgent, tool } = await importFrom(peer, 'langchain');
const { createDeepAgent } = await importFrom(peer, 'deepagents');
const { BaseChatModel = class {} } = await importFrom(peer, '@langchain/core/language_models/chat_models');
const { AIMessage, AIMessageChunk } = await importFrom(peer, '@langchain/core/messages');
const { ChatGenerationChunk } = await importFrom(peer, '@langchain/core/outputs');

interface Message {
  getType(): string;
  readonly text: string;
}

const USAGE = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };

class ScriptedModel extends BaseChatModel {
  readonly requests: Sent[][];
  readonly next: () => Reply;
  constructor(replies: readonly Reply[], requests: Sent[][]) {
    super({});
    this.requests = requests;
    this.next = script(replies);
  }
  _llmType() {
    return 'scripted';
  }
  bindTools() {
    return this;
  }
  reply(messages: readonly Message[]) {
    this.requests.push(messages.map(sent));
    const { text = '', tool } = this.next();
    const tool_calls = tool ? [{ id: `call-${this.requests.length}`, name: tool, args: {} }] : [];
    return { content: text, tool_calls, usage_metadata: USAGE };
  }
  async _generate(messages: readonly Message[]) {
    const message = new AIMessage(this.reply(messages));
    return { generations: [{ text: message.text, message }] };
  }
  async *_streamResponseChunks(messages: readonly Message[]) {
    const { tool_calls, ...rest } = this.reply(messages);
    const tool_call_chunks = tool_calls.map(({ args, ...call }) => ({ ...call, index: 0, args: JSON.stringify(args) }));
    const message = new AIMessageChunk({ ...rest, tool_call_chunks });
    yield new ChatGenerationChunk({ text: message.text, message });
  }
}

const ROLES: Readonly<Record<string, Sent['role']>> = { human: 'user', ai: 'assistant' };

function sent(message: Message): Sent {
  return { role: message.text === '' ? 'other' : (ROLES[message.getType()] ?? 'other'), text: message.text };
}

const look = isMissing
  ? undefined
  : tool(async () => 'ok', { name: 'look', description: 'Looks.', schema: { type: 'object', properties: {} } });

type Create = (options: object) => {
  invoke(state: object, config: object): Promise<{ messages: Message[] }>;
  stream(state: object, config: object): Promise<AsyncIterable<[Message]>>;
};

const runIn = (create: Create, more: { middleware?: object[]; config?: object } = {}) =>
  async function run({ gate, replies, adapter, signal, stream }: LoopRun) {
    const requests: Sent[][] = [];
    const model = new ScriptedModel(replies, requests);
    const agent = create({ model, tools: [look], middleware: [...(more.middleware ?? []), untilDone(gate, adapter)] });
    const input = { messages: [{ role: 'user', content: 'Do it.' }] };
    const config = { ...(signal && { signal }), ...more.config };
    if (!stream) {
      const { messages } = await agent.invoke(input, config);
      return { requests, answer: messages.at(-1)?.text ?? '', streamed: '' };
    }
    let streamed = '';
    for await (const [message] of await agent.stream(input, { ...config, streamMode: 'messages' }))
      streamed += message.text;
    return { requests, answer: streamed, streamed };
  };

const loop = (create: Create): Loop => ({ run: runIn(create), abort: 'rejects' });
describeLoop('stopgate/langchain', isMissing, () => loop(createAgent), { everyday: 'decisive' });
describeLoop('stopgate/langchain with deepagents', isMissing, () => loop(createDeepAgent), {
  brief: true,
  everyday: 'held',
});

describe.skipIf(isMissing)('LangChain', () => {
  it('says once that recursionLimit is near, before it fails the run', async () => {
    await using at = await project();
    const adapter = { ...at.adapter, onWarning: (warning: string) => void at.warnings.push(warning) };
    const run = runIn(createAgent, { config: { recursionLimit: 6 } });
    const failed = run({ gate: at.gate({ stallAfter: 9 }), replies: [at.answers('no')], adapter });
    await expect(failed).rejects.toThrow('Recursion limit of 6 reached');
    expect(at.warnings).toEqual([expect.stringContaining('recursionLimit (6) of LangGraph is nearly reached')]);
  });

  it('asks about the main agent, not about subagents', async () => {
    await using at = await project();
    const task = { description: 'Look.', subagent_type: 'general-purpose' };
    class Delegating extends ScriptedModel {
      override reply(messages: readonly Message[]) {
        const reply = super.reply(messages);
        const tool_calls = this.requests.length === 1 ? [{ id: 'call', name: 'task', args: task }] : [];
        return { ...reply, content: tool_calls.length > 0 ? '' : reply.content, tool_calls } as typeof reply;
      }
    }
    const model = new Delegating([{ text: '' }, { text: 'subagent' }, at.answers('yes')], []);
    const agent = createDeepAgent({ model, middleware: [untilDone(at.gate(), at.adapter)] });
    await agent.invoke({ messages: [{ role: 'user', content: 'Do it.' }] });
    expect(at.verdicts.map(({ type }) => type)).toEqual(['stop']);
  });

  it('skips beforeModel of other middleware for the request after a refused answer', async () => {
    await using at = await project();
    let calls = 0;
    const counting = { name: 'counting', beforeModel: () => void calls++ };
    const run = runIn(createAgent, { middleware: [counting] });
    await run({ gate: at.gate(), replies: [at.answers('no'), at.answers('yes')], adapter: at.adapter });
    expect(at.verdicts).toHaveLength(2);
    expect(calls).toBe(1);
  });
});

itRunsItsExample('langchain', peer);
