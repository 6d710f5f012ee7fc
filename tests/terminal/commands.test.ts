import { describe, expect, it } from 'vitest';
import { KEYS } from '../support/screen.ts';
import { allMessages, openTestSession } from '../support/session.ts';

const numbered = (_: unknown, n: number) => ({ text: `answer ${n}` });

describe('slash commands', () => {
  it('lists keys and commands with /help', async () => {
    await using session = await openTestSession({ rows: 60 });
    session.send('/help');
    await session.sees('/exit');
    for (const name of [
      'help',
      'model',
      'compact',
      'clear',
      'resume',
      'cost',
      'permissions',
      'hooks',
      'goal',
      'why',
      'doctor',
      'status',
      'memory',
      'exit',
      'btw',
      'tasks',
      'waive',
      'trust',
      'rename',
    ])
      expect(session.all()).toContain(`/${name}`);
    for (const key of ['shift+tab', 'ctrl+o', 'ctrl+r', 'ctrl+t', 'alt+↑', '!command', '@file'])
      expect(session.all()).toContain(key);
  });

  it('shows and changes the model', async () => {
    await using session = await openTestSession({ replies: numbered });
    session.send('/model');
    await session.sees('The model is anthropic/');
    session.send('/model haiku');
    await session.sees('From the next prompt on: anthropic/claude-haiku');
    session.send('hello');
    await session.sees('answer 0');
    expect(session.project.server.seen[0]?.body.model).toContain('haiku');
    session.send('/model no-such/thing');
    await session.sees('no-such');
  });

  it('changes the permission mode, with shift+tab too, also for the running turn', async () => {
    const write = (file: string) => ({ tools: [{ name: 'Write', input: { file_path: file, content: 'x' } }] });
    await using session = await openTestSession({
      replies: (_, n) =>
        n === 0 ? write(`${session.project.dir}/a`) : n === 1 ? write(`${session.project.dir}/b`) : { text: 'both' },
    });
    session.send('/mode');
    await session.sees('The mode is default');
    session.send('write two files');
    await session.sees('yes, once');
    session.type('y');
    // the second question, not what is left of the first
    await session.sees('project/b');
    await session.sees('yes, once');
    session.type(KEYS.escape);
    await session.sheds('yes, once');
    session.type(KEYS.shiftTab);
    await session.sees('acceptEdits mode');
    session.send('go on');
    await session.sees('both');
  });

  it('begins a new conversation with /clear', async () => {
    await using session = await openTestSession({ replies: numbered });
    session.send('first');
    await session.sees('answer 0');
    await session.sees('⏹ Done.');
    session.send('/clear');
    await expect.poll(() => session.all().match(/anthropic\/claude-sonnet-5-5 in/g)?.length).toBe(2);
    session.send('second');
    await session.sees('answer 1');
    expect(allMessages(session.project)).not.toContain('first');
  });

  it('continues with what was said, by --continue, by a name, and from a list', async () => {
    await using first = await openTestSession({ replies: numbered });
    first.send('remember the blue door');
    await first.sees('⏹ Done.');
    first.send('/rename the door');
    await first.sees('This session is "the door" now.');
    first.type(KEYS.ctrlD);
    await first.ended;
    await using named = await first.again({ args: ['--resume', 'the door'] });
    await named.sees('> remember the blue door');
    await named.sees('answer 0');
    named.type(KEYS.ctrlD);
    await named.ended;
    await using listed = await first.again();
    listed.send('/resume');
    await listed.sees('Which session?');
    await listed.sees('1  the door');
    listed.type('1');
    await listed.sees('> remember the blue door');
    listed.send('what color?');
    await listed.sees('answer 1');
    expect(allMessages(listed.project)).toContain('blue door');
    listed.type(KEYS.ctrlD);
    await listed.ended;
    await using latest = await first.again({ args: ['--continue'] });
    await latest.sees('> what color?');
  });

  it('shows cost, goal, hooks, status, doctor and memory', async () => {
    await using session = await openTestSession({ rows: 50, replies: [{ text: 'x', usage: { in: 1000, out: 500 } }] });
    session.send('work');
    await session.sees('⏹ Done.');
    session.send('/cost');
    await session.sees('500 output tokens');
    session.send('/goal');
    await session.sees('No checks: this project has no stopgate.config.json.');
    session.send('/hooks');
    await session.sees('No hooks');
    session.send('/doctor');
    await session.sees('Hooks: 0 hooks: 0 run, 0 skipped, 0 broken.');
    expect(session.all()).toMatch(/✓ Model: anthropic\/.*, key from /);
    session.send('/memory');
    await session.sees('Nothing is remembered of this project');
    session.type(KEYS.escape);
    await session.sheds('Nothing is remembered');
    session.send('/status');
    await session.sees('No stop has been checked in this folder yet.');
  });

  it('compacts the conversation', async () => {
    await using session = await openTestSession({
      replies: [{ text: 'one' }, { text: 'the summary' }, { text: 'three' }],
    });
    session.send('first');
    await session.sees('one');
    session.send('/compact keep the names');
    await session.sees('The conversation was compacted.');
    session.send('next');
    await session.sees('three');
    expect(allMessages(session.project)).toContain('the summary');
    expect(allMessages(session.project)).toContain('next');
  });

  it('ends with /exit, and with an unknown session to resume it says so', async () => {
    await using session = await openTestSession();
    session.send('/resume nothing-like-it');
    await session.sees('No session matches "nothing-like-it"');
    session.send('/exit');
    expect(await session.ended).toBe(0);
  });
});
