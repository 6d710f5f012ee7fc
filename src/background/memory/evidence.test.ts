import { describe, expect, it } from 'vitest';
import type { ConversationMessage } from '../../models/types.ts';
import { makeMessages } from '../../session/makeMessages.ts';
import { cursorAt, evidenceIn, RECALL_END, RECALL_START, unseenMessages, wroteMemory } from './evidence.ts';
import { decideExtraction } from './extractMemory.ts';

const DIR = '/home/me/.stopgate/projects/-p/memory';
const user = (text: string): ConversationMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const call = (id: string, input: unknown, name = 'Bash'): ConversationMessage => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input }],
});
const result = (id: string, content: string): ConversationMessage => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, tool_name: 'Bash', content }],
});

describe('evidenceIn', () => {
  it('includes the words of the user and the output of tools, and nothing else', () => {
    const messages: ConversationMessage[] = [
      user('Use tabs.'),
      { role: 'system', content: `# Memory\n${RECALL_START}\nold facts\n${RECALL_END}` },
      { role: 'assistant', content: [{ type: 'text', text: 'I conclude that you like tabs.' }] },
      call('1', { command: 'ls' }),
      result('1', 'a.ts'),
      user('Stop hook feedback:\nrun the tests'),
      user('<system-reminder>\na hook says so\n</system-reminder>'),
      user('This session goes on from an earlier conversation that no longer fitted. Its summary: …'),
    ];
    expect(evidenceIn(messages, DIR)).toEqual([
      { source: 'user', text: 'Use tabs.' },
      { source: 'tool', text: 'a.ts' },
    ]);
  });

  it('takes nothing that was recalled: not from the context, not from a file, not quoted back', () => {
    const recalled = `${RECALL_START}\nThe deploy key is in the vault.\n${RECALL_END}`;
    const messages: ConversationMessage[] = [
      { role: 'system', content: recalled },
      user(`You told me: ${recalled} Is that so?`),
      call('1', { command: `cat ${DIR}/deploy.md` }),
      result('1', 'The deploy key is in the vault.'),
      call('2', { file_path: `${DIR}/MEMORY.md` }, 'Read'),
      result('2', 'The deploy key is in the vault.'),
    ];
    expect(evidenceIn(messages, DIR)).toEqual([{ source: 'user', text: 'You told me:  Is that so?' }]);
  });

  it('takes nothing that a hook or the engine wrote, however it is worded', () => {
    const nudge = user('You are at 40% of your budget. Always go on.');
    expect(evidenceIn([nudge], DIR)).toHaveLength(1);
    expect(evidenceIn([nudge], DIR, new Set([nudge]))).toEqual([]);
  });
});

describe('the cursor', () => {
  const messages = [user('one'), user('two'), user('three')];

  it('leaves out what was seen', () => {
    const cursor = cursorAt(messages.slice(0, 2));
    expect(unseenMessages(messages, cursor)).toEqual([messages[2]]);
    expect(unseenMessages(messages, cursorAt(messages))).toEqual([]);
    expect(unseenMessages(messages, undefined)).toEqual(messages);
  });

  it('starts anew after a compaction', () => {
    const cursor = cursorAt(messages.slice(0, 2));
    const compacted = [user('a summary'), user('kept'), user('three')];
    expect(unseenMessages(compacted, cursor)).toEqual(compacted);
    expect(unseenMessages([user('short')], cursor)).toHaveLength(1);
  });
});

describe('wroteMemory', () => {
  const answers = (name: string, input: unknown) => [
    makeMessages().assistant({
      id: 'm',
      role: 'assistant',
      model: 'x',
      stop_reason: 'tool_use',
      usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
      content: [{ type: 'tool_use', id: '1', name, input }],
    }),
  ];
  it.each([
    ['Write', { file_path: `${DIR}/a.md`, content: '' }, true],
    ['Edit', { file_path: `${DIR}/a.md` }, true],
    ['Bash', { command: `echo x > ${DIR}/a.md` }, true],
    ['Bash', { command: `cat ${DIR}/a.md` }, false],
    ['Read', { file_path: `${DIR}/a.md` }, false],
    ['Write', { file_path: '/project/a.md' }, false],
  ])('%s %j: %s', (name, input, wrote) => expect(wroteMemory(answers(name, input), DIR)).toBe(wrote));
});

describe('decideExtraction', () => {
  const tool = { source: 'tool', text: 'output' } as const;
  const fromUser = (text: string) => ({ source: 'user', text }) as const;
  it.each([
    ['nothing new', [], 'skip'],
    ['a tiny turn', [fromUser('fix the typo')], 'skip'],
    ['three messages', [fromUser('fix it'), tool, tool], 'skip'],
    ['four messages', [fromUser('fix it'), tool, tool, tool], 'extract'],
    ['one long prompt', [fromUser('x'.repeat(400))], 'extract'],
    ['one that is just too short', [fromUser('x'.repeat(399))], 'skip'],
    ['a wish to keep something', [fromUser('From now on write tests first')], 'extract'],
    ['a preference', [fromUser('I prefer tabs')], 'extract'],
    ['a cue in a tool’s output', [fromUser('fix it'), { source: 'tool', text: 'always remember' } as const], 'skip'],
  ] as const)('%s', (_name, evidence, type) => {
    expect(decideExtraction(evidence, false).type).toBe(type);
  });

  it('is not needed when the agent kept something itself, and that counts as seen', () => {
    const decision = decideExtraction([fromUser('Always use tabs')], true);
    expect(decision).toMatchObject({ type: 'skip', forget: true });
  });
});
