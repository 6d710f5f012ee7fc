import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../system/clock.ts';
import { systemIds } from '../../system/ids.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { makeMessages } from '../makeMessages.ts';
import type { Message } from '../messages.ts';
import { readTranscript } from './readTranscript.ts';
import { resumeMessages } from './resumeMessages.ts';
import { writeTranscript } from './writeTranscript.ts';

const make = makeMessages(systemClock, systemIds);
const envelope = { sessionId: 's', cwd: '/p', version: 't', userType: 'external', gitBranch: '' } as const;
const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

function answer(text: string, ...calls: readonly string[]): Message {
  const tools = calls.map((id) => ({ type: 'tool_use', id, name: 'Bash', input: {} }) as const);
  const content = [{ type: 'text', text } as const, ...tools];
  const id = `msg_${systemIds.uuid()}`;
  return make.assistant({ id, role: 'assistant', model: 'm', content, stop_reason: 'end_turn', usage });
}
const result = (id: string) =>
  make.toolResult({ type: 'tool_result', tool_use_id: id, tool_name: 'Bash', content: `result of ${id}` });
const note = (text: string) => make.system('informational', text);

const textsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) => {
    if (message.type === 'system') return [message.content];
    if (message.type === 'attachment') return [];
    const { content } = message.message;
    if (typeof content === 'string') return [content];
    return content.map((block) => ('text' in block ? block.text : block.type === 'tool_use' ? block.id : 'result'));
  });

/** Writes a history, then what two runs add to it, in the given order of their lines. */
function twoRuns(file: string, history: readonly Message[], order: readonly ['a' | 'b', Message][]): void {
  const onFailure = (sentence: string) => expect.fail(sentence);
  const first = writeTranscript(file, envelope, { onFailure });
  for (const message of history) first.append(message);
  first.close();
  const after = JSON.parse(readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? '').uuid;
  const runs = {
    a: writeTranscript(file, envelope, { after, onFailure }),
    b: writeTranscript(file, envelope, { after, onFailure }),
  };
  for (const [run, message] of order) runs[run].append(message);
  runs.a.close();
  runs.b.close();
}

/** Each call is followed by its result before the next answer: what a provider insists on. */
function expectPaired(messages: readonly Message[]): void {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.type !== 'user' && message.type !== 'assistant') continue;
    const { content } = message.message;
    if (message.type === 'assistant') expect([...open]).toEqual([]);
    if (typeof content === 'string') continue;
    for (const block of content) {
      if (block.type === 'tool_use') open.add(block.id);
      if (block.type === 'tool_result') expect(open.delete(block.tool_use_id)).toBe(true);
    }
  }
  expect([...open]).toEqual([]);
}

const HISTORY = [make.user('start'), answer('started', 't0'), result('t0'), answer('history')];

describe('a transcript of two runs at the same time', () => {
  const A: readonly Message[] = [
    make.user('a asks'),
    answer('a calls', 'ta', 'tb'),
    result('ta'),
    result('tb'),
    answer('a done'),
    note('a ended'),
  ];
  const B: readonly Message[] = [
    note('b began'),
    make.user('b asks'),
    answer('b calls', 'tc'),
    result('tc'),
    answer('b done'),
    note('b ended'),
  ];
  const zip = A.flatMap((message, n): ['a' | 'b', Message][] => [
    ['a', message],
    ['b', B[n] as Message],
  ]);

  const swapped = A.flatMap((message, n): ['a' | 'b', Message][] => [
    ['b', B[n] as Message],
    ['a', message],
  ]);

  it.each<[string, readonly ['a' | 'b', Message][], string, string]>([
    ['line by line', zip, 'b done', 'a asks'],
    ['line by line, the other one last', swapped, 'a done', 'b asks'],
    [
      'one after the other',
      [...A.map((m): ['a', Message] => ['a', m]), ...B.map((m): ['b', Message] => ['b', m])],
      'b done',
      'a asks',
    ],
  ])('%s is read as one branch', async (_name, order, last, missing) => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 's.jsonl');
    twoRuns(file, HISTORY, order);
    const read = await readTranscript(file);
    const resumed = resumeMessages(read.messages, make);
    const texts = textsOf(resumed);
    expect(texts.slice(0, 3)).toEqual(['start', 'started', 't0']);
    expect(texts).toContain('history');
    expect(texts.at(-1)).toContain(last);
    expect(texts).not.toContain(missing);
    expect(read.otherLines).toBeGreaterThan(0);
    expectPaired(resumed);
  });

  it('goes on from its branch: what is written next is read as its end, for good', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 's.jsonl');
    twoRuns(file, HISTORY, zip);
    const { lastUuid } = await readTranscript(file);
    const writer = writeTranscript(file, envelope, { after: lastUuid, onFailure: (sentence) => expect.fail(sentence) });
    for (const message of [make.user('again'), answer('again done')]) writer.append(message);
    writer.close();
    const texts = textsOf(resumeMessages((await readTranscript(file)).messages, make));
    expect(texts).toEqual(expect.arrayContaining(['start', 'history', 'b asks', 'b done', 'again', 'again done']));
    expect(texts).not.toContain('a asks');
  });

  it('a compaction of the other run does not take the history away', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 's.jsonl');
    const boundary = make.system('compact_boundary', 'Conversation compacted.');
    twoRuns(file, HISTORY, [
      ['a', boundary],
      ['b', make.user('b asks')],
      ['a', make.user('a summary')],
      ['b', answer('b done')],
    ]);
    expect(textsOf(resumeMessages((await readTranscript(file)).messages, make))).toContain('history');
  });
});

it('two first runs under one id are read as the one that wrote last', async () => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, 's.jsonl');
  const onFailure = (sentence: string) => expect.fail(sentence);
  const [a, b] = [writeTranscript(file, envelope, { onFailure }), writeTranscript(file, envelope, { onFailure })];
  a.append(make.user('a asks'));
  b.append(make.user('b asks'));
  a.append(answer('a done'));
  b.append(answer('b done'));
  a.close();
  b.close();
  expect(textsOf((await readTranscript(file)).messages)).toEqual(['b asks', 'b done']);
});

describe('a transcript of one run after the other', () => {
  const lines = (file: string) =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('is read whole although a line is torn', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 's.jsonl');
    twoRuns(file, HISTORY, []);
    const [first, second, ...rest] = readFileSync(file, 'utf8').trim().split('\n');
    writeFileSync(file, [first, second?.slice(0, 30), ...rest].join('\n'));
    const read = await readTranscript(file);
    expect(read).toMatchObject({ skippedLines: [2], otherLines: 0 });
    expect(textsOf(read.messages)).toContain('start');
    expect(textsOf(read.messages)).toContain('history');
  });

  it('is read whole although it goes on from the first block of an answer, as earlier versions wrote it', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 's.jsonl');
    const onFailure = (sentence: string) => expect.fail(sentence);
    const two = make.assistant({
      id: 'm',
      role: 'assistant',
      model: 'm',
      stop_reason: 'end_turn',
      usage,
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    });
    const before = writeTranscript(file, envelope, { onFailure });
    for (const message of [make.user('start'), two, note('ended')]) before.append(message);
    const later = writeTranscript(file, envelope, { after: two.uuid, onFailure });
    later.append(make.user('later'));
    before.close();
    later.close();
    const read = await readTranscript(file);
    expect(textsOf(read.messages)).toEqual(['start', 'one', 'two', 'ended', 'later']);
    expect(read.otherLines).toBe(0);
  });

  it.each<[string, (line: Record<string, unknown>) => object]>([
    ['no parents', ({ parentUuid: _, ...line }) => line],
    ['parents that are not there', (line) => ({ ...line, parentUuid: 'gone' })],
    ['parents that are no text', (line) => ({ ...line, parentUuid: 7 })],
    ['parents in a circle', (line) => ({ ...line, parentUuid: line.uuid })],
  ])('is read whole with %s', async (_name, change) => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 's.jsonl');
    twoRuns(file, HISTORY, []);
    const changed = lines(file).map(change);
    writeFileSync(file, '');
    for (const line of changed) appendFileSync(file, `${JSON.stringify(line)}\n`);
    expect(textsOf((await readTranscript(file)).messages)).toEqual(['start', 'started', 't0', 'result', 'history']);
  });
});
