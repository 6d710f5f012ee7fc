import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateText, isLoopFinished, isStepCount, streamText, ToolLoopAgent, tool } from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { sampleOf } from '../../tests/support/testSize.ts';
import { createGate } from '../gate/createGate.ts';
import type { GateOptions, Verdict } from '../gate/types.ts';
import { tempFolder } from '../testing/tempFolder.ts';
import { untilDone } from './aiSdk.ts';

type Reply = string | { readonly tool: string; readonly input: object };
type Prompt = readonly { readonly role: string; readonly content: unknown }[];

const USAGE = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
} as const;

/** A model that works before it answers: `work` gets the number of the request. */
function model(work: (request: number) => Reply) {
  const prompts: Prompt[] = [];
  const content = (prompt: Prompt) => {
    prompts.push(prompt);
    const reply = work(prompts.length);
    if (typeof reply === 'string') return { reply, finish: { unified: 'stop', raw: undefined } as const };
    return { reply, finish: { unified: 'tool-calls', raw: undefined } as const };
  };
  const call = (reply: Exclude<Reply, string>) => {
    return { toolCallId: `c${prompts.length}`, toolName: reply.tool, input: JSON.stringify(reply.input) };
  };
  const mock = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const { reply, finish } = content(prompt);
      const part = typeof reply === 'string' ? { type: 'text', text: reply } : { type: 'tool-call', ...call(reply) };
      return { content: [part as never], finishReason: finish, usage: USAGE, warnings: [] };
    },
    doStream: async ({ prompt }) => {
      const { reply, finish } = content(prompt);
      const parts =
        typeof reply === 'string'
          ? [
              { type: 'text-start', id: '1' },
              { type: 'text-delta', id: '1', delta: reply },
              { type: 'text-end', id: '1' },
            ]
          : [{ type: 'tool-call', ...call(reply) }];
      const chunks = [
        { type: 'stream-start', warnings: [] },
        ...parts,
        { type: 'finish', finishReason: finish, usage: USAGE },
      ];
      return {
        stream: simulateReadableStream({ chunks: chunks as never[], chunkDelayInMs: null, initialDelayInMs: null }),
      };
    },
  });
  return { mock, prompts };
}

/** A folder that is done when `answer.txt` says yes, with a model whose nth answer writes the nth text there. */
async function setUp(texts: readonly string[], options: Partial<GateOptions> = {}) {
  const folder = await tempFolder();
  const cwd = path.join(folder.path, 'project');
  execFileSync('git', ['init', '-q', cwd]);
  const file = path.join(cwd, 'answer.txt');
  const gate = createGate({
    cwd,
    stopgateHome: path.join(folder.path, '.home'),
    checks: [{ name: 'done', command: 'grep -q yes answer.txt' }],
    ...options,
  });
  const { mock, prompts } = model((request) => {
    writeFileSync(file, texts[request - 1] ?? texts.at(-1) ?? '');
    return `answer ${request}`;
  });
  const warnings: string[] = [];
  const verdicts: Verdict[] = [];
  const follow = {
    onWarning: (warning: string) => warnings.push(warning),
    onVerdict: (one: Verdict) => verdicts.push(one),
  };
  return { folder, gate, model: mock, prompts, warnings, verdicts, follow };
}

const TWICE = ['no', 'maybe', 'yes'];
const lastText = (prompt: Prompt | undefined) => JSON.stringify(prompt?.at(-1));

/** `generateText` and `streamText` are shown at every run. */
const WAYS = ['generate', 'stream'] as const;

describe('two refused answers, the third accepted', () => {
  it('generateText', async () => {
    const at = await setUp(TWICE);
    await using _ = at.folder;
    const result = await generateText({
      model: at.model,
      prompt: 'go',
      stopWhen: isLoopFinished(),
      ...untilDone(at.gate, at.follow),
    });
    expect(result.text).toBe('answer 3');
    expect(result.steps).toHaveLength(3);
    expect(lastText(at.prompts[1])).toContain('grep -q yes');
    expect(at.gate.verdict).toMatchObject({ type: 'stop', proven: true, ending: { type: 'passed' } });
    expect(at.warnings).toEqual([]);
  });

  it('streamText', async () => {
    const at = await setUp(TWICE);
    await using _ = at.folder;
    const result = streamText({
      model: at.model,
      prompt: 'go',
      stopWhen: isLoopFinished(),
      ...untilDone(at.gate, at.follow),
    });
    const types: string[] = [];
    for await (const part of result.fullStream) types.push(part.type);
    expect(types.filter((type) => type === 'text-delta')).toHaveLength(3);
    expect(await result.text).toBe('answer 3');
    expect(at.gate.verdict).toMatchObject({ type: 'stop', proven: true });
  });

  it.each(sampleOf(WAYS, (way) => way === 'stream'))('ToolLoopAgent.%s', async (way) => {
    const at = await setUp(TWICE);
    await using _ = at.folder;
    const agent = new ToolLoopAgent({ model: at.model, stopWhen: isLoopFinished() });
    const result = await agent[way]({ prompt: 'go', ...untilDone(at.gate, at.follow) });
    expect(await result.text).toBe('answer 3');
    expect(at.gate.verdict).toMatchObject({ type: 'stop', proven: true });
  });
});

it.each([
  ['stalled', { stallAfter: 1 }, ['no']],
  ['capped', { maxAttempts: 1 }, ['no', 'other']],
] as const)('ends as %s', async (ending, options, texts) => {
  const at = await setUp(texts, options);
  await using _ = at.folder;
  const result = await generateText({
    model: at.model,
    prompt: 'go',
    stopWhen: isLoopFinished(),
    ...untilDone(at.gate, at.follow),
  });
  expect(result.steps).toHaveLength(2);
  expect(at.verdicts.at(-1)).toMatchObject({ type: 'stop', proven: false, ending: { type: ending } });
});

it('warns once when stopWhen ends the loop first', async () => {
  const at = await setUp(['no'], { stallAfter: 50 });
  await using _ = at.folder;
  await generateText({ model: at.model, prompt: 'go', ...untilDone(at.gate, at.follow) });
  expect(at.warnings).toEqual([expect.stringMatching(/^stopgate: stopWhen ended the loop after 1 step,/)]);
  const options = { stopWhen: isStepCount(2), ...untilDone(at.gate, at.follow) };
  await generateText({ model: at.model, prompt: 'go', ...options });
  expect(at.warnings).toHaveLength(2);
  expect(at.warnings[1]).toContain('after 2 steps');
});

describe('a gate that fails', () => {
  const broken = async (options: Partial<GateOptions>) => {
    const at = await setUp(['no'], { ...options });
    writeFileSync(path.join(at.folder.path, '.broken'), '');
    const stopgateHome = path.join(at.folder.path, '.broken');
    const checks = [{ command: 'true' }];
    return { ...at, gate: createGate({ cwd: at.folder.path, stopgateHome, checks, ...options }) };
  };

  it('sends the agent back three times, then ends with error', async () => {
    const at = await broken({});
    await using _ = at.folder;
    const result = await generateText({
      model: at.model,
      prompt: 'go',
      stopWhen: isLoopFinished(),
      ...untilDone(at.gate, at.follow),
    });
    expect(result.steps).toHaveLength(4);
    expect(at.verdicts.at(-1)).toMatchObject({ type: 'stop', ending: { type: 'error' } });
  });

  it.each(sampleOf(WAYS, (way) => way === 'stream'))('rejects the call by onFailure: throw (%s)', async (way) => {
    const at = await broken({ onFailure: 'throw' });
    await using _ = at.folder;
    const options = { model: at.model, prompt: 'go', stopWhen: isLoopFinished(), ...untilDone(at.gate, at.follow) };
    const text =
      way === 'generate' ? generateText(options).then((result) => result.text) : drained(streamText(options));
    await expect(text).rejects.toThrow(/not a folder|ENOTDIR|EEXIST/);
    expect(at.prompts).toHaveLength(1);
  });
});

/** A stream is produced as it is read. */
async function drained(result: {
  readonly consumeStream: () => PromiseLike<void>;
  readonly text: PromiseLike<string>;
}) {
  await result.consumeStream();
  return result.text;
}

it('an abort ends a running check and the call', async () => {
  const abort = new AbortController();
  const at = await setUp(['no'], {
    checks: [{ name: 'slow', command: 'sleep 600' }],
    onCheck: ({ state }) => state === 'running' && abort.abort(new Error('the person left')),
  });
  await using _ = at.folder;
  const call = generateText({
    model: at.model,
    prompt: 'go',
    stopWhen: isLoopFinished(),
    ...untilDone(at.gate, { ...at.follow, abortSignal: abort.signal }),
  });
  await call.catch(() => {});
  expect(at.verdicts).toMatchObject([{ type: 'stop', proven: false, ending: { why: 'checksInterrupted' } }]);
  expect(at.prompts).toHaveLength(1);
});

it('freezes the definition before the first request', async () => {
  const folder = await tempFolder();
  await using _ = folder;
  const cwd = path.join(folder.path, 'project');
  execFileSync('git', ['init', '-q', cwd]);
  writeFileSync(path.join(cwd, 'check.sh'), 'exit 1');
  const checks = [{ command: 'sh check.sh' }];
  const gate = createGate({ cwd, stopgateHome: path.join(folder.path, '.home'), checks, maxAttempts: 1 });
  const { mock, prompts } = model(() => {
    writeFileSync(path.join(cwd, 'check.sh'), 'exit 0');
    return 'done';
  });
  const seen: string[] = [];
  const onStart = () => void seen.push('start');
  await generateText({ model: mock, prompt: 'go', stopWhen: isLoopFinished(), ...untilDone(gate, { onStart }) });
  expect(lastText(prompts[1])).toContain('check.sh');
  expect(gate.verdict).toMatchObject({ type: 'stop', proven: false, ending: { type: 'capped' } });
  expect(seen).toEqual(['start']);
});

it('calls the own onStepEnd, counts tokens, and adds the countdown after tool calls', async () => {
  const folder = await tempFolder();
  await using _ = folder;
  const gate = createGate({
    cwd: folder.path,
    stopgateHome: path.join(folder.path, '.home'),
    checks: [{ command: 'true' }],
    timeBudget: '20m',
    maxTokens: 1_000,
  });
  const { mock, prompts } = model((request) => (request === 1 ? { tool: 'note', input: { text: 'hi' } } : 'done'));
  const seen: string[] = [];
  const note = tool({ inputSchema: z.object({ text: z.string() }), execute: async ({ text }) => text });
  await generateText({
    model: mock,
    prompt: 'go',
    tools: { note },
    stopWhen: isLoopFinished(),
    ...untilDone(gate, {
      onStepEnd: (step) => {
        seen.push(step.finishReason);
        throw new Error('of the program');
      },
    }),
  });
  expect(seen).toEqual(['tool-calls', 'stop']);
  expect(lastText(prompts[1])).toContain('BUDGET: ');
  expect(gate.tokensLeft()).toBe(990);
  expect(gate.verdict).toMatchObject({ type: 'stop', proven: true });
});
