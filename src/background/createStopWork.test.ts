import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SpendLedger } from '../models/ledger.ts';
import { costOf } from '../models/prices.ts';
import type { ConversationMessage } from '../models/types.ts';
import type { TurnFacts } from '../query/stop/stopWork.ts';
import type { BackgroundRun } from '../schemas/backgroundRuns.ts';
import { makeMessages } from '../session/makeMessages.ts';
import { AppendOnlyList } from '../system/appendOnly.ts';
import { systemIds } from '../system/ids.ts';
import { noLog } from '../system/log.ts';
import { type FakeClock, fakeClock } from '../testing/fakeClock.ts';
import { type ScriptedReplies, type ScriptedReply, scriptedReplies } from '../testing/scriptedReplies.ts';
import { type TempFolder, tempFolder } from '../testing/tempFolder.ts';
import { createStopWork, type StopWorkOptions } from './createStopWork.ts';
import { DEFAULT_LIMITS } from './governor/limits.ts';
import { decideSwitches, type SwitchFacts } from './governor/switches.ts';
import { memoryFolder, readMemories } from './memory/memoryFolder.ts';
import { readSnapshot } from './snapshot/snapshotStore.ts';

interface SetUp {
  readonly replies?: readonly ScriptedReply[];
  readonly env?: Record<string, string>;
  readonly switches?: Partial<SwitchFacts>;
  readonly options?: Partial<StopWorkOptions>;
}

function setUp(folder: TempFolder, { replies = [], env = {}, switches, options }: SetUp = {}) {
  const clock = fakeClock(Date.parse('2026-11-01T10:00:00Z'));
  const model = scriptedReplies(replies, { clock });
  const logged: BackgroundRun[] = [];
  const bare = switches?.bare ?? false;
  const work = createStopWork({
    clock,
    ids: systemIds,
    env,
    stopgateHome: folder.path,
    projectDir: '/project',
    sessionsDir: path.join(folder.path, 'projects', '-project'),
    sessionId: 'session',
    ledger: new SpendLedger(),
    costOf,
    resolveModel: () => ({ type: 'unknown', message: 'none' }),
    maxRetries: 0,
    limits: DEFAULT_LIMITS,
    switches: decideSwitches({ env, memorySetting: true, interactive: false, ...switches, bare }),
    bare,
    logEvent: noLog,
    signal: new AbortController().signal,
    log: { append: (run) => void logged.push(run) },
    ...options,
  });
  const sessionsDir = path.join(folder.path, 'projects', '-project');
  return {
    work,
    clock,
    model,
    logged,
    memoryDir: memoryFolder(sessionsDir),
    sessionFolder: path.join(sessionsDir, 'session'),
  };
}

const user = (text: string): ConversationMessage => ({ role: 'user', content: [{ type: 'text', text }] });

function turn(
  model: ScriptedReplies,
  messages: readonly ConversationMessage[],
  answers = ['Noted.'],
  more: Partial<TurnFacts> = {},
): TurnFacts {
  const make = makeMessages();
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return {
    snapshot: { sessionId: 'session', model, system: ['sys'], tools: [], messages: AppendOnlyList.of(messages) },
    assistantMessages: answers.map((text) =>
      make.assistant({
        id: 'm',
        role: 'assistant',
        model: 'x',
        stop_reason: 'end_turn',
        usage,
        content: [{ type: 'text', text }],
      }),
    ),
    querySource: 'sdk',
    agentId: undefined,
    signal: new AbortController().signal,
    ...more,
  };
}

const KEPT = (evidence = 'Always run make check') =>
  JSON.stringify({
    memories: [
      {
        name: 'check',
        description: 'How to check',
        type: 'feedback',
        content: 'Run make check before a commit.',
        evidence,
      },
    ],
  });

const outcomes = (runs: readonly BackgroundRun[]) =>
  Object.fromEntries(runs.map(({ task, outcome }) => [task, outcome]));

describe('memory extraction', () => {
  it('learns what the user said, in a file with its source, and an index', async () => {
    await using folder = await tempFolder();
    const { work, model, memoryDir } = setUp(folder, { replies: [{ text: `\`\`\`json\n${KEPT()}\n\`\`\`` }] });
    work.startAfterTurn(turn(model, [user('Always run make check before you commit.')]));
    expect(await work.drain(20_000)).toEqual([]);
    expect(readFileSync(path.join(memoryDir, 'check.md'), 'utf8')).toBe(
      '---\nname: check\ndescription: How to check\ntype: feedback\ncreated: "2026-11-01T10:00:00.000Z"\nsession: session\nevidence: user\nquote: Always run make check\n---\n\nRun make check before a commit.\n',
    );
    expect(readFileSync(path.join(memoryDir, 'MEMORY.md'), 'utf8')).toContain(
      '- [check](check.md) (feedback): How to check',
    );
    expect(work.runs().find(({ task }) => task === 'memory_extraction')).toMatchObject({
      outcome: 'ran',
      reason: 'kept check',
    });
  });

  it('asks with the conversation’s own prefix, the answer and a question, and no more', async () => {
    await using folder = await tempFolder();
    const { work, model } = setUp(folder, { replies: [{ text: '{"memories":[]}' }] });
    const messages = [user('Always run make check.')];
    work.startAfterTurn(turn(model, messages));
    await work.drain(20_000);
    const [request] = model.requests;
    expect(request?.system).toEqual(['sys']);
    expect(request?.messages.toArray().slice(0, 2)).toEqual([
      ...messages,
      { role: 'assistant', content: [{ type: 'text', text: 'Noted.' }] },
    ]);
    expect(request?.messages.length).toBe(3);
    expect(request?.toolChoice).toBeUndefined();
  });

  it('does not ask again about what it has seen, and reads new messages together with a turn that was too small', async () => {
    await using folder = await tempFolder();
    const { work, model } = setUp(folder, { replies: [{ text: '{"memories":[]}', repeat: 'forever' }] });
    const messages = [user('Always run make check.')];
    work.startAfterTurn(turn(model, messages));
    await work.drain(20_000);
    work.startAfterTurn(turn(model, messages));
    await work.drain(20_000);
    messages.push(user('thanks'));
    work.startAfterTurn(turn(model, messages));
    await work.drain(20_000);
    expect(model.requests).toHaveLength(1);
    messages.push(user('and this'), user('and that'), user('and more'));
    work.startAfterTurn(turn(model, messages));
    await work.drain(20_000);
    expect(model.requests).toHaveLength(2);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('begins “thanks”');
  });

  it('never learns from what was recalled', async () => {
    await using folder = await tempFolder();
    const recalled = 'The staging server is called falcon';
    const { work, model, memoryDir } = setUp(folder, { replies: [{ text: KEPT(recalled) }] });
    const context: ConversationMessage = {
      role: 'system',
      content: `# Memory\n<recalled-memory>\n${recalled}\n</recalled-memory>`,
    };
    work.startAfterTurn(turn(model, [user('Always deploy with care.'), context]));
    await work.drain(20_000);
    expect(await readMemories(memoryDir)).toEqual([]);
    expect(work.runs()[1]?.reason).toMatch(/check quotes words that are not in the conversation/);
  });

  it('never learns from what a hook or the engine wrote', async () => {
    await using folder = await tempFolder();
    const nudge = user('Always run make check, says the engine.');
    const { work, model, memoryDir } = setUp(folder, {
      replies: [{ text: KEPT() }],
      options: { hiddenMessages: () => new Set([nudge]) },
    });
    work.startAfterTurn(turn(model, [user('I prefer short answers.'), nudge]));
    await work.drain(20_000);
    expect(await readMemories(memoryDir)).toEqual([]);
  });

  it('leaves it to the agent when that wrote to the memory folder itself', async () => {
    await using folder = await tempFolder();
    const { work, model, memoryDir } = setUp(folder, { replies: [{ text: KEPT() }] });
    const facts = turn(model, [user('Always run make check.')]);
    const [answer] = facts.assistantMessages;
    if (!answer) throw new Error('no answer');
    const input = { file_path: path.join(memoryDir, 'mine.md'), content: 'x' };
    const wrote = {
      ...answer,
      message: { ...answer.message, content: [{ type: 'tool_use', id: '1', name: 'Write', input } as const] },
    };
    work.startAfterTurn({ ...facts, assistantMessages: [wrote, answer] });
    await work.drain(20_000);
    expect(model.requests).toHaveLength(0);
    expect(outcomes(work.runs()).memory_extraction).toBe('skipped');
  });

  it('a rate limit is its own failure: one sentence at the exit, and the evidence is kept for the next run', async () => {
    await using folder = await tempFolder();
    const { work, model, memoryDir } = setUp(folder, {
      replies: [{ error: { status: 429, type: 'rate_limit_error', message: 'slow down' } }, { text: KEPT() }],
    });
    const facts = turn(model, [user('Always run make check.')]);
    work.startAfterTurn(facts);
    const [warning, ...rest] = await work.drain(20_000);
    expect(warning).toMatch(/^After the turn, memory extraction failed \(.*slow down.*\)\. The answer is not affected/);
    expect(rest).toEqual([]);
    work.startAfterTurn(facts);
    await work.drain(20_000);
    expect((await readMemories(memoryDir)).map(({ name }) => name)).toEqual(['check']);
  });
});

describe('what runs after a turn', () => {
  it.each<[string, SetUp, Partial<TurnFacts>]>([
    ['memory is off', { env: { STOPGATE_DISABLE_MEMORY: '1' } }, {}],
    ['memory is not on', { switches: { memorySetting: undefined } }, {}],
    ['the mode is bare', { switches: { bare: true } }, {}],
    ['it is a subagent', {}, { agentId: 'a1', querySource: 'agent' }],
    ['it is a hook’s agent', {}, { querySource: 'hook_agent' }],
  ])('makes no request when %s', async (_name, options, more) => {
    await using folder = await tempFolder();
    const { work, model } = setUp(folder, { replies: [{ text: KEPT() }], ...options });
    work.startAfterTurn(turn(model, [user('Always run make check.')], ['ok'], more));
    expect(await work.drain(20_000)).toEqual([]);
    expect(model.requests).toHaveLength(0);
  });

  it('records for each task why it did not run', async () => {
    await using folder = await tempFolder();
    const { work, model, logged } = setUp(folder, { switches: { memorySetting: undefined } });
    work.startAfterTurn(turn(model, [user('hello')]));
    await work.drain(20_000);
    expect(logged.map(({ task, outcome, reason }) => [task, outcome, reason])).toEqual([
      ['prompt_suggestion', 'skipped', 'off in headless: it would not be seen'],
      ['memory_extraction', 'skipped', expect.stringMatching(/^off in headless by default/)],
      ['auto_dream', 'skipped', expect.stringMatching(/^memory is off/)],
    ]);
  });

  it('suggests a next prompt in a terminal session, as a value and an event, until the next turn', async () => {
    await using folder = await tempFolder();
    const suggestions: string[] = [];
    const { work, model } = setUp(folder, {
      replies: [{ text: '"run the tests"' }, { text: 'NONE' }],
      switches: { interactive: true, memorySetting: false },
      options: { onSuggestion: ({ text }) => suggestions.push(text) },
    });
    work.startAfterTurn(turn(model, [user('write the tests')]));
    await work.drain(20_000);
    expect(work.suggestion()).toMatchObject({ text: 'run the tests', sessionId: 'session' });
    work.startAfterTurn(turn(model, [user('run the tests')]));
    expect(work.suggestion()).toBeUndefined();
    await work.drain(20_000);
    expect(work.suggestion()).toBeUndefined();
    expect(suggestions).toEqual(['run the tests']);
  });

  it('ends with the session, not with the turn', async () => {
    await using folder = await tempFolder();
    const { work, model, memoryDir } = setUp(folder, { replies: [{ text: KEPT() }] });
    const over = new AbortController();
    work.startAfterTurn(turn(model, [user('Always run make check.')], ['ok'], { signal: over.signal }));
    over.abort();
    await work.drain(20_000);
    expect(await readMemories(memoryDir)).toHaveLength(1);
  });

  it('is not waited for longer than the bound', async () => {
    await using folder = await tempFolder();
    const { work, model, clock } = setUp(folder, { replies: [{ text: KEPT(), delayMs: 600_000 }] });
    work.startAfterTurn(turn(model, [user('Always run make check.')]));
    const drained = work.drain(5_000);
    await untilPending(clock, 2);
    await clock.advance(5_000);
    expect(await drained).toEqual([
      expect.stringMatching(/memory extraction was ended \(the process was about to exit\)/),
    ]);
  });
});

/** Real files are read before the model is asked: waits until all sleeps have started. */
async function untilPending(clock: FakeClock, count: number): Promise<void> {
  while (clock.pending() <= count) await new Promise((resolve) => setImmediate(resolve));
}

describe('the snapshot', () => {
  it('holds the prefix and what was answered to it', async () => {
    await using folder = await tempFolder();
    const { work, model, sessionFolder } = setUp(folder, { switches: { bare: true } });
    const facts = turn(model, [user('hello')], ['Hi.']);
    work.saveCacheSafeParams(facts.snapshot);
    await work.classifyJob(facts);
    await work.drain(20_000);
    const read = await readSnapshot(sessionFolder);
    expect(read).toMatchObject({
      type: 'ok',
      snapshot: { sessionId: 'session', system: ['sys'], answer: { content: [{ text: 'Hi.' }] } },
    });
  });
});

describe('job classification', () => {
  const job = (folder: TempFolder) => path.join(folder.path, 'job');
  const state = (folder: TempFolder) => JSON.parse(readFileSync(path.join(job(folder), 'state.json'), 'utf8'));
  const env = (folder: TempFolder) => ({ STOPGATE_JOB_DIR: job(folder) });

  it('is working from the start, and failed without an answer', async () => {
    await using folder = await tempFolder();
    const { work } = setUp(folder, { env: env(folder) });
    await work.start();
    expect(state(folder).state).toBe('working');
    await work.drain(20_000);
    expect(state(folder)).toMatchObject({ state: 'failed', sessionId: 'session', cwd: '/project' });
  });

  it('is on disk when it resolves, from all answers of the turn and with the prompt', async () => {
    await using folder = await tempFolder();
    const { work, model } = setUp(folder, { env: env(folder) });
    await work.start();
    await work.classifyJob(turn(model, [user('fix the total')], ['I look.', 'Fixed: it starts at 0 now.']));
    expect(state(folder)).toEqual({
      state: 'done',
      detail: 'Fixed: it starts at 0 now.',
      sessionId: 'session',
      cwd: '/project',
      updatedAt: '2026-11-01T10:00:00.000Z',
      decidedBy: 'rules',
      lastPrompt: 'fix the total',
    });
    await work.drain(20_000);
    expect(state(folder).state).toBe('done');
    expect(model.requests).toHaveLength(0);
  });

  it('asks a model only when the rules do not suffice, and reads all answers of the turn', async () => {
    await using folder = await tempFolder();
    const { work, model } = setUp(folder, {
      env: env(folder),
      replies: [{ text: 'So: {"state": "blocked", "detail": "The registry\\nis down."}' }],
    });
    await work.classifyJob(turn(model, [user('publish it')], ['The registry answers 503.', 'That is how it looks.']));
    expect(state(folder)).toMatchObject({ state: 'blocked', detail: 'The registry is down.', decidedBy: 'model' });
    expect(JSON.stringify(model.requests[0]?.messages.toArray())).toContain('The registry answers 503.');
    await work.drain(20_000);
  });

  it.each<[string, SetUp]>([
    ['the model fails', { replies: [{ error: { status: 429, message: 'slow down' } }] }],
    ['the answer is not a state', { replies: [{ text: '{"state":"splendid"}' }] }],
    ['none may be asked', { switches: { bare: true } }],
  ])('assumes done when the rules do not suffice and %s', async (_name, options) => {
    await using folder = await tempFolder();
    const { work, model } = setUp(folder, { env: env(folder), ...options });
    await work.classifyJob(turn(model, [user('explain it')], ['It reads a file and counts lines.']));
    expect(state(folder)).toMatchObject({
      state: 'done',
      decidedBy: 'fallback',
      detail: 'It reads a file and counts lines.',
    });
    expect(await work.drain(20_000)).toEqual([]);
  });

  it('does not wait for a slow model beyond its time', async () => {
    await using folder = await tempFolder();
    const { work, model, clock } = setUp(folder, { env: env(folder), replies: [{ text: '{}', delayMs: 600_000 }] });
    const classified = work.classifyJob(turn(model, [user('explain it')], ['It reads a file.']));
    await untilPending(clock, 1);
    await clock.advance(55_000);
    await classified;
    expect(state(folder)).toMatchObject({ state: 'done', decidedBy: 'fallback' });
    await work.drain(20_000);
  });

  it('is not done without a job directory, nor for a subagent', async () => {
    await using folder = await tempFolder();
    const without = setUp(folder);
    await without.work.classifyJob(turn(without.model, [user('x')]));
    const { work, model } = setUp(folder, { env: env(folder) });
    await work.classifyJob(turn(model, [user('x')], ['Done.'], { agentId: 'a', querySource: 'agent' }));
    expect(existsSync(job(folder))).toBe(false);
    expect(work.runs()).toEqual([]);
    await Promise.all([work.drain(20_000), without.work.drain(20_000)]);
  });
});
