import { describe, expect, it } from 'vitest';
import { runUntilDone } from '../../src/adapters/openaiAgents/index.ts';
import { broken, describeLoop, type Loop, type LoopRun, project, type Reply, type Sent, script } from './contract.ts';
import { itRunsItsExample } from './example.ts';
import { findPeer, importFrom } from './peer.ts';

const peer = await findPeer('openaiAgents');
const isMissing = peer.type === 'missing';
const { Agent, MemorySession, Runner, run, setTracingDisabled, tool } = await importFrom(peer, '@openai/agents');
const { z } = await importFrom(peer, 'zod');
setTracingDisabled?.(true);

interface Item {
  readonly role?: string;
  readonly content?: string | readonly { readonly text?: string }[];
}
interface Request {
  readonly input: string | readonly Item[];
}

const USAGE = { requests: 1, inputTokens: 1, outputTokens: 2, totalTokens: 3 };

function model(replies: readonly Reply[], requests: Sent[][]) {
  const next = script(replies);
  const output = ({ input }: Request) => {
    requests.push(typeof input === 'string' ? [{ role: 'user', text: input }] : input.map(sent));
    const { text, tool } = next();
    const id = `call-${requests.length}`;
    if (tool) return [{ type: 'function_call', callId: id, name: tool, arguments: '{}', status: 'completed' }];
    return [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }];
  };
  return {
    getResponse: async (request: Request) => {
      const usage = { ...USAGE, inputTokensDetails: [], outputTokensDetails: [] };
      return { output: output(request), usage, responseId: `response-${requests.length}` };
    },
    async *getStreamedResponse(request: Request) {
      const items = output(request);
      yield { type: 'response_started' };
      for (const item of items) {
        for (const { text } of 'content' in item ? item.content : []) yield { type: 'output_text_delta', delta: text };
      }
      yield { type: 'response_done', response: { id: `response-${requests.length}`, output: items, usage: USAGE } };
    },
  };
}

function sent({ role, content }: Item): Sent {
  const text = typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');
  return { role: role === 'user' || role === 'assistant' ? role : 'other', text };
}

const look = isMissing
  ? undefined
  : tool({ name: 'look', description: 'Looks.', parameters: z.object({}), execute: async () => 'ok' });

const runIn = (runner: () => unknown, more: () => object = () => ({})) =>
  async function runAgent({ gate, replies, adapter, signal, stream }: LoopRun) {
    const requests: Sent[][] = [];
    const agent = new Agent({ name: 'a', instructions: 'Work.', model: model(replies, requests), tools: [look] });
    const gated = runUntilDone(runner() as typeof run, gate, adapter);
    const result = await gated(agent, 'Do it.', { ...(signal && { signal }), ...(stream && { stream }), ...more() });
    let streamed = '';
    if (stream) {
      for await (const { data } of result) if (data?.type === 'output_text_delta') streamed += data.delta;
      await result.completed;
    }
    return { requests, answer: result.finalOutput ?? '', streamed };
  };

const loop = (...args: Parameters<typeof runIn>): Loop => ({ run: runIn(...args), abort: 'resolves' });
describeLoop('stopgate/openai-agents', isMissing, () => loop(() => run));
describeLoop(
  'stopgate/openai-agents with a Runner and a session',
  isMissing,
  () =>
    loop(
      () => new Runner(),
      () => ({ session: new MemorySession() }),
    ),
  { brief: true, everyday: 'held' },
);

describe.skipIf(isMissing)('OpenAI Agents', () => {
  it('writes each message once into the session', async () => {
    await using at = await project();
    const session = new MemorySession();
    const replies = [at.answers('no'), at.answers('yes')];
    await runIn(
      () => run,
      () => ({ session }),
    )({ gate: at.gate(), replies, adapter: at.adapter });
    const items: Sent[] = (await session.getItems()).map(sent);
    expect(items.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  it('continues a response at the provider with the feedback alone', async () => {
    await using at = await project();
    const more = () => ({ previousResponseId: 'earlier' });
    const replies = [at.answers('no'), at.answers('yes')];
    const { requests } = await runIn(() => run, more)({ gate: at.gate(), replies, adapter: at.adapter });
    expect(requests.at(-1)).toEqual([{ role: 'user', text: expect.stringContaining('answer is no') }]);
  });

  it('streams the text of all runs as one stream, and completes when the gate lets it stop', async () => {
    await using at = await project();
    const agent = new Agent({ name: 'a', model: model([at.answers('no'), at.answers('yes')], []) });
    const result = await runUntilDone(run as (...args: unknown[]) => Promise<never>, at.gate(), at.adapter)(
      agent,
      'Do it.',
      { stream: true },
    );
    const { toTextStream, completed } = result as { toTextStream(): AsyncIterable<string>; completed: Promise<void> };
    const text: string[] = [];
    for await (const piece of toTextStream()) text.push(piece);
    await completed;
    expect(text).toEqual(['no', 'yes']);
    expect(result).toMatchObject({ finalOutput: 'yes', cancelled: false });
  });

  it('gives a failure of the gate to the reader of the stream', async () => {
    await using at = await project();
    const gate = broken(at.gate({ onFailure: 'throw' }));
    const agent = new Agent({ name: 'a', model: model([{ text: 'done' }], []) });
    const result = await runUntilDone(run, gate)(agent, 'Do it.', { stream: true });
    const read = async () => {
      for await (const event of result) expect(event.type).toBeTypeOf('string');
    };
    await expect(read()).rejects.toThrow('boom');
    await expect(result.completed).rejects.toThrow('boom');
  });

  it('goes on with the agent that a handoff led to', async () => {
    await using at = await project();
    const requests: Sent[][] = [];
    const second = new Agent({ name: 'second', model: model([at.answers('no'), at.answers('yes')], requests) });
    const handoff = {
      type: 'function_call',
      callId: 'call',
      name: 'transfer_to_second',
      arguments: '{}',
      status: 'completed',
    };
    const usage = { ...USAGE, inputTokensDetails: [], outputTokensDetails: [] };
    let firstCalls = 0;
    const getResponse = async () => {
      firstCalls++;
      return { output: [handoff], usage, responseId: 'first' };
    };
    const first = new Agent({ name: 'first', handoffs: [second], model: { getResponse } });
    const result = await runUntilDone(run, at.gate(), at.adapter)(first, 'Do it.');
    expect(result.finalOutput).toBe('yes');
    expect([firstCalls, requests.length]).toEqual([1, 2]);
  });

  it('does not ask about a run that waits for an approval', async () => {
    await using at = await project();
    const options = {
      name: 'look',
      description: 'Looks.',
      parameters: z.object({}),
      needsApproval: true,
      execute: async () => 'ok',
    };
    const agent = new Agent({
      name: 'a',
      model: model([{ tool: 'look' }, at.answers('yes')], []),
      tools: [tool(options)],
    });
    const gated = runUntilDone(run, at.gate(), at.adapter);
    const waiting = await gated(agent, 'Do it.');
    expect(waiting.interruptions).toHaveLength(1);
    expect(at.verdicts).toEqual([]);
    waiting.state.approve(waiting.interruptions[0]);
    expect(await gated(agent, waiting.state)).toMatchObject({ finalOutput: 'yes' });
    expect(at.verdicts).toHaveLength(1);
  });

  it('counts maxTurns for each run, and fails as run does', async () => {
    await using at = await project();
    const limited = runIn(
      () => run,
      () => ({ maxTurns: 1 }),
    );
    const replies = [at.answers('no'), at.answers('maybe'), at.answers('yes')];
    await limited({ gate: at.gate(), replies, adapter: at.adapter });
    expect(at.verdicts).toHaveLength(3);
    await expect(limited({ gate: at.gate(), replies: [{ tool: 'look' }] })).rejects.toThrow('Max turns (1) exceeded');
  });
});

itRunsItsExample('openai-agents', peer);
