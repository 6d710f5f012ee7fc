import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { gateAgent, stopgate, untilDone } from '../../src/adapters/pi/index.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { IS_LONG } from '../support/testSize.ts';
import { describeLoop, type Loop, type LoopRun, project, type Reply, type Sent, script } from './contract.ts';
import { itRunsItsExample } from './example.ts';
import { findPeer, importFrom, programFolder } from './peer.ts';

const BIN = path.join(import.meta.dirname, '../../bin/stopgate.js');
const peer = await findPeer('piCodingAgent');
const isMissing = peer.type === 'missing';
const coding = await importFrom(peer, '@earendil-works/pi-coding-agent');
const core = await importFrom(peer, '@earendil-works/pi-agent-core');
const { createFauxCore, fauxAssistantMessage, fauxToolCall } = await importFrom(peer, '@earendil-works/pi-ai');

interface Message {
  readonly role: string;
  readonly content: string | readonly { readonly text?: string }[];
}

const textOf = ({ content }: Message) =>
  typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');

function sent(message: Message): Sent {
  const text = textOf(message);
  const { role } = message;
  return { role: (role === 'user' || role === 'assistant') && text !== '' ? role : 'other', text };
}

/** pi's own model for tests. */
function scriptedModel(replies: readonly Reply[]) {
  const requests: Sent[][] = [];
  const next = script(replies);
  const faux = createFauxCore({});
  const reply = ({ messages }: { messages: readonly Message[] }) => {
    requests.push(messages.map(sent));
    const { text, tool } = next();
    return fauxAssistantMessage(tool ? [fauxToolCall('look', {})] : text);
  };
  faux.setResponses(Array.from({ length: 50 }, () => reply));
  return { requests, faux, model: faux.getModel() };
}

const look = {
  name: 'look',
  label: 'look',
  description: 'Looks.',
  parameters: { type: 'object', properties: {} },
  execute: async () => ({ content: [{ type: 'text', text: 'ok' }], details: undefined }),
};

interface Delta {
  readonly type: string;
  readonly assistantMessageEvent?: { readonly type: string; readonly delta?: string };
}

const deltaOf = ({ assistantMessageEvent: event }: Delta) => (event?.type === 'text_delta' ? (event.delta ?? '') : '');
const answerOf = (messages: readonly Message[]) =>
  textOf(messages.findLast(({ role }) => role === 'assistant') as Message);

async function inLoop({ gate, replies, adapter, signal }: LoopRun) {
  const { requests, faux, model } = scriptedModel(replies);
  let streamed = '';
  const config = {
    model,
    convertToLlm: (messages: Message[]) => messages.filter(({ role }) => role !== 'custom'),
    ...untilDone(gate, adapter),
  };
  const emit = async (event: Delta) => {
    streamed += deltaOf(event);
  };
  const prompt = { role: 'user', content: 'Do it.', timestamp: 0 };
  const context = { systemPrompt: 'Work.', messages: [], tools: [look] };
  const messages = await core.runAgentLoop([prompt], context, config, emit, signal, faux.streamSimple);
  return { requests, answer: answerOf(messages), streamed };
}

async function inAgent({ gate, replies, adapter, signal }: LoopRun) {
  const { requests, faux, model } = scriptedModel(replies);
  const agent = new core.Agent({
    initialState: { systemPrompt: 'Work.', model, tools: [look] },
    streamFn: faux.streamSimple,
  });
  gateAgent(agent, gate, adapter);
  let streamed = '';
  agent.subscribe((event: Delta) => {
    streamed += deltaOf(event);
  });
  signal?.addEventListener('abort', () => agent.abort());
  await agent.prompt('Do it.');
  return { requests, answer: answerOf(agent.state.messages), streamed, error: agent.state.errorMessage };
}

/** The whole coding agent, without its screen: sessions, retries and extensions are its own. */
async function inCodingAgent({ gate, replies, adapter, signal }: LoopRun, tool: object = look) {
  await using folder = await tempFolder();
  const agentDir = path.join(folder.path, 'agent');
  mkdirSync(agentDir);
  const { requests, faux, model } = scriptedModel(replies);
  const { provider: name, api, id } = model;
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const models = [{ id, name: id, reasoning: false, input: ['text'], cost, contextWindow: 100_000, maxTokens: 1_000 }];
  const provider = { api, baseUrl: 'http://127.0.0.1:1', apiKey: 'dummy', streamSimple: faux.streamSimple, models };
  const errors: string[] = [];
  const resourceLoader = new coding.DefaultResourceLoader({
    cwd: gate.cwd,
    agentDir,
    extensionFactories: [
      (pi: { registerProvider(name: string, options: object): void; registerTool(tool: object): void }) => {
        pi.registerProvider(name, provider);
        pi.registerTool(tool);
      },
      stopgate({ gate: () => gate, ...adapter }),
    ],
  });
  await resourceLoader.reload();
  const modelRuntime = await coding.ModelRuntime.create({
    authPath: path.join(agentDir, 'auth.json'),
    modelsPath: path.join(agentDir, 'models.json'),
  });
  const { session } = await coding.createAgentSession({
    cwd: gate.cwd,
    agentDir,
    model,
    modelRuntime,
    resourceLoader,
    thinkingLevel: 'off',
    sessionManager: coding.SessionManager.inMemory(gate.cwd),
    settingsManager: coding.SettingsManager.inMemory({ compaction: { enabled: false } }),
  });
  let streamed = '';
  session.subscribe((event: Delta) => {
    streamed += deltaOf(event);
  });
  session.extensionRunner.onError(({ error }: { error: string }) => void errors.push(error));
  signal?.addEventListener('abort', () => void session.abort());
  await session.prompt('Do it.');
  const answer: string = session.getLastAssistantText() ?? '';
  session.dispose();
  return { requests, answer, streamed, error: errors.join() };
}

const loops: Readonly<Record<string, Loop>> = {
  'stopgate/pi in a loop of pi-agent-core': { run: inLoop, abort: 'resolves' },
  'stopgate/pi in an Agent of pi-agent-core': {
    run: inAgent,
    failure: async (run) => (await inAgent(run)).error,
    abort: 'resolves',
  },
  'stopgate/pi in the coding agent': {
    run: inCodingAgent,
    // pi shows the errors of extensions and settles
    failure: async (run) => (await inCodingAgent(run)).error,
    abort: 'resolves',
  },
};
for (const [name, loop] of Object.entries(loops)) {
  const everyday = name.endsWith('the coding agent') ? 'decisive' : 'held';
  describeLoop(name, isMissing, () => loop, { everyday, alwaysStreams: true });
}

describe.skipIf(isMissing)('pi', () => {
  const ending = { ...look, execute: async () => ({ ...(await look.execute()), terminate: true }) };

  it('asks when a tool has ended the run of a loop', async () => {
    await using at = await project();
    const { faux, model } = scriptedModel([{ tool: 'look' }, at.answers('yes')]);
    const config = { model, convertToLlm: (messages: Message[]) => messages, ...untilDone(at.gate(), at.adapter) };
    const context = { systemPrompt: 'Work.', messages: [], tools: [ending] };
    const prompt = { role: 'user', content: 'Do it.', timestamp: 0 };
    await core.runAgentLoop([prompt], context, config, async () => {}, undefined, faux.streamSimple);
    expect(at.verdicts.map(({ type }) => type)).toEqual(['goOn', 'stop']);
  });

  it('asks when a tool has ended the run of the coding agent', async () => {
    await using at = await project();
    const replies = [{ tool: 'look' } as const, at.answers('yes')];
    await inCodingAgent({ gate: at.gate(), replies, adapter: at.adapter }, ending);
    expect(at.verdicts.map(({ type }) => type)).toEqual(['goOn', 'stop']);
  });

  it('leaves the run of an Agent ended by a tool, with a time budget too', async () => {
    await using at = await project();
    const { requests, faux, model } = scriptedModel([{ tool: 'look' }, at.answers('yes')]);
    const initialState = { systemPrompt: 'Work.', model, tools: [ending] };
    const agent = new core.Agent({ initialState, streamFn: faux.streamSimple });
    gateAgent(agent, at.gate({ timeBudget: '20m' }), at.adapter);
    await agent.prompt('Do it.');
    expect([requests.length, at.verdicts.length]).toEqual([1, 0]);
  });
});

/** An extension as a person writes it, with pi's own scripted model beside it. */
const EXTENSION = `
import { createFauxCore, fauxAssistantMessage, fauxToolCall } from '@earendil-works/pi-ai';
import { stopgate } from 'stopgate/pi';

const faux = createFauxCore({});
faux.setResponses([
  fauxAssistantMessage('Done.'),
  fauxAssistantMessage([fauxToolCall('bash', { command: 'echo hello > greeting.txt' })]),
  fauxAssistantMessage('Now it is done.'),
]);
const { provider, api, id } = faux.getModel();
const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const models = [{ id, name: id, reasoning: false, input: ['text'], cost, contextWindow: 100000, maxTokens: 1000 }];
export default (pi) => {
  pi.registerProvider(provider, { api, baseUrl: 'http://127.0.0.1:1', apiKey: 'dummy', streamSimple: faux.streamSimple, models });
  stopgate()(pi);
};`;

it.skipIf(isMissing)(
  'the program takes the extension from a file, with the checks of the project once they are trusted',
  async () => {
    await using folder = await tempFolder();
    const cwd = folder.path;
    programFolder(peer, cwd);
    const checks = [{ name: 'greeting', command: 'grep -q hello greeting.txt' }];
    writeFileSync(path.join(cwd, 'stopgate.config.json'), JSON.stringify({ checks }));
    writeFileSync(path.join(cwd, 'extension.ts'), EXTENSION);
    const env = { PATH: process.env.PATH, HOME: cwd, PI_OFFLINE: '1', TMPDIR: cwd };
    const node = (...args: string[]) => {
      const started = promisify(execFile)(process.execPath, args, { cwd, env, timeout: 25_000 });
      // pi reads a prompt from there until its end
      started.child.stdin?.end();
      return started;
    };
    const cli = path.join(cwd, 'node_modules/@earendil-works/pi-coding-agent/dist/cli.js');
    const pi = () => node(cli, '-p', 'Do it.', '-e', './extension.ts', '--model', 'faux/faux-1', '--no-session');
    if (IS_LONG) {
      // tests/hosts/pi.test.ts and src/adapters have what is not trusted; each start takes seconds of a processor
      const untrusted = await pi();
      expect(untrusted.stdout).toBe('Done.\n');
      expect(untrusted.stderr).toContain('stopgate trust');
    }
    await node(BIN, 'trust', '--yes');
    expect(await pi()).toEqual({ stdout: 'Now it is done.\n', stderr: '' });
    expect((await node(BIN, 'why')).stdout).toMatch(/pi started.*was sent back.*passed \(greeting\)/s);
  },
  60_000,
);

itRunsItsExample('pi', peer);
