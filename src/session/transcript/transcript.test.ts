import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../system/clock.ts';
import { systemIds } from '../../system/ids.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { makeMessages } from '../makeMessages.ts';
import type { Message } from '../messages.ts';
import { readTranscript } from './readTranscript.ts';
import { resumeMessages } from './resumeMessages.ts';
import { isSessionId, listSessions, projectSessionsDir } from './sessionFiles.ts';
import { writeTranscript } from './writeTranscript.ts';

const make = makeMessages(systemClock, systemIds);
const envelope = {
  sessionId: 's1',
  cwd: '/project',
  version: 'test',
  userType: 'external',
  gitBranch: 'main',
} as const;
const answer = (
  content: { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: unknown },
) =>
  make.assistant({
    id: `msg_${systemIds.uuid()}`,
    role: 'assistant',
    model: 'm',
    content: [content],
    stop_reason: 'end_turn',
    usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
  });
const answered = (text: string) => answer({ type: 'text', text });
const called = (id: string) => answer({ type: 'tool_use', id, name: 'Bash', input: { command: 'x' } });
const result = (id: string) =>
  make.toolResult({ type: 'tool_result', tool_use_id: id, tool_name: 'Bash', content: 'ok' });

const fail = { onFailure: (sentence: string) => expect.fail(sentence) };

describe('a transcript', () => {
  it('gives back what was written, one line per message', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'deep', 's1.jsonl');
    const transcript = writeTranscript(file, envelope, fail);
    const messages: Message[] = [make.user('hello'), answered('hi'), make.system('informational', 'note')];
    for (const message of messages) transcript.append(message);
    const read = await readTranscript(file);
    expect(read.skippedLines).toEqual([]);
    expect(read.messages).toMatchObject(messages);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    transcript.close();
  });

  it('links each message to the one before and names its session', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 's1.jsonl');
    const transcript = writeTranscript(file, envelope, fail);
    const [first, second] = [make.user('a'), answered('b')];
    transcript.append(first);
    transcript.append(second);
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[1]).toMatchObject({ parentUuid: first.uuid, uuid: second.uuid, sessionId: 's1', cwd: '/project' });
    transcript.close();
  });

  it('is readable whatever byte a crash cut it at, and can be gone on with', async () => {
    await using folder = await tempFolder();
    const whole = path.join(folder.path, 'whole.jsonl');
    const transcript = writeTranscript(whole, envelope, fail);
    for (const message of [make.user('first: ünïcode'), answered('second')]) transcript.append(message);
    transcript.close();
    const bytes = readFileSync(whole);
    const firstLine = bytes.indexOf(0x0a) + 1;
    const file = path.join(folder.path, 'cut.jsonl');
    for (let cut = 0; cut <= bytes.length; cut++) {
      writeFileSync(file, bytes);
      truncateSync(file, cut);
      const again = writeTranscript(file, envelope, fail);
      again.append(answered('after the crash'));
      again.close();
      const { messages } = await readTranscript(file);
      // a line whose newline alone was lost is whole
      const survivors = cut >= bytes.length - 1 ? 2 : cut >= firstLine - 1 ? 1 : 0;
      expect(messages).toHaveLength(survivors + 1);
    }
  });

  it('skips lines that are not ours and reports which', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 's1.jsonl');
    const transcript = writeTranscript(file, envelope, fail);
    transcript.append(make.user('a'));
    appendFileSync(file, 'garbage\n{"type":"assistant"}\n\n[]\n');
    transcript.append(answered('b'));
    transcript.close();
    const { messages, skippedLines } = await readTranscript(file);
    expect(messages).toHaveLength(2);
    expect(skippedLines).toEqual([2, 3, 5]);
  });

  it('loses nothing that was emitted when the process is killed', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 's1.jsonl');
    const program = `
      import { writeTranscript } from ${JSON.stringify(path.join(import.meta.dirname, 'writeTranscript.ts'))};
      const transcript = writeTranscript(${JSON.stringify(file)}, { sessionId: 's', cwd: '/', version: 't' }, { onFailure: console.error });
      for (let n = 0; n < 1000; n++) {
        transcript.append({ type: 'user', uuid: String(n), timestamp: '', message: { role: 'user', content: 'x'.repeat(n) } });
        process.stdout.write(n + '\\n');
      }
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      if (printed.length > 200) child.kill('SIGKILL');
    });
    await once(child, 'close');
    const last = printed.trim().split('\n').length;
    const { messages } = await readTranscript(file);
    expect(messages.length).toBeGreaterThanOrEqual(last);
    expect(messages.slice(0, last).map(({ uuid }) => Number(uuid))).toEqual(Array.from({ length: last }, (_, n) => n));
  });

  it('reports once that it cannot be written and lets the session continue', async () => {
    await using folder = await tempFolder();
    writeFileSync(path.join(folder.path, 'file'), '');
    const failures: string[] = [];
    const transcript = writeTranscript(path.join(folder.path, 'file', 's1.jsonl'), envelope, {
      onFailure: (text) => failures.push(text),
    });
    transcript.append(make.user('a'));
    transcript.append(make.user('b'));
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(/cannot be written .*; this session is not kept\./);
  });
});

describe('resuming', () => {
  const idsOf = (messages: readonly Message[]) => messages.map(({ uuid }) => uuid);

  it('starts after the last compaction and leaves out what no model read', () => {
    const boundary = make.system('compact_boundary', 'compacted');
    const summary = make.user('summary', { isCompactSummary: true });
    const broken = make.assistant({ ...answered('x').message }, { apiError: 'server_error' });
    const kept = answered('kept');
    const messages = [
      make.user('old'),
      answered('old'),
      boundary,
      summary,
      broken,
      make.system('informational', 'n'),
      kept,
    ];
    expect(idsOf(resumeMessages(messages, make))).toEqual(idsOf([summary, kept]));
  });

  it('answers calls that a crash left open, so that the history can be sent', () => {
    const messages = [make.user('go'), called('c1'), result('c1'), called('c2')];
    const resumed = resumeMessages(messages, make);
    expect(resumed).toHaveLength(5);
    expect(resumed[4]).toMatchObject({
      message: { content: [{ type: 'tool_result', tool_use_id: 'c2', is_error: true }] },
    });
  });

  it('marks a call that a hook deferred as not run', () => {
    const terminal = { reason: 'tool_deferred', call: { id: 'c1', name: 'Bash', input: {} } };
    const ended = make.system('turn_end', 'tool_deferred', { data: { terminal } });
    const firstResult = (messages: Message[]) => JSON.stringify(resumeMessages(messages, make)[2]);
    expect(firstResult([make.user('go'), called('c1'), ended])).toContain('it did not run');
    expect(firstResult([make.user('go'), called('c1')])).toContain('while this call was running');
  });

  it('drops results whose call is gone', () => {
    const messages = [make.user('go'), result('lost'), answered('hm')];
    expect(resumeMessages(messages, make)).toHaveLength(2);
  });
});

describe('session files', () => {
  it.each([
    ['0b9f-uuid', true],
    ['../../etc/passwd', false],
    ['a/b', false],
    ['', false],
    ['.hidden', false],
    ['a'.repeat(200), false],
  ])('%s as a session id: %s', (id, expected) => {
    expect(isSessionId(id)).toBe(expected);
  });

  it('lists the latest first and an unreadable folder as empty', async () => {
    await using folder = await tempFolder();
    const sessions = projectSessionsDir(folder.path, '/some/project');
    mkdirSync(sessions, { recursive: true });
    writeFileSync(path.join(sessions, 'old.jsonl'), '');
    const { utimesSync } = await import('node:fs');
    utimesSync(path.join(sessions, 'old.jsonl'), 1, 1);
    writeFileSync(path.join(sessions, 'new.jsonl'), '');
    expect((await listSessions(sessions)).map(({ id }) => id)).toEqual(['new', 'old']);
    chmodSync(sessions, 0o700);
    expect(await listSessions('/nowhere')).toEqual([]);
  });
});
