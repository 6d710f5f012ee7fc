import { describe, expect, it } from 'vitest';
import { KEYS } from '../support/screen.ts';
import { allMessages, bash, hook, lastMessage, openTestSession, settings, until } from '../support/session.ts';

const suggesting = (body: { messages: unknown[] }) =>
  JSON.stringify(body.messages.at(-1)).includes('most likely type next')
    ? { text: 'run the tests' }
    : { text: 'answered' };
const ON = { env: { STOPGATE_ENABLE_PROMPT_SUGGESTION: '1' } };

describe('a guess at the next prompt', () => {
  it('is shown in the empty input: tab takes it, typing removes it', async () => {
    await using session = await openTestSession({ ...ON, replies: suggesting });
    session.send('hello');
    await session.sees('run the tests (tab takes it)');
    session.type('x');
    await session.sheds('(tab takes it)');
    session.type('\u007f');
    session.send('again');
    await session.sees('run the tests (tab takes it)');
    session.type(KEYS.tab);
    await session.sheds('(tab takes it)');
    session.type(KEYS.enter);
    await expect.poll(() => allMessages(session.project)).toContain('run the tests');
  });

  it('is taken by the right arrow, and never sent by itself', async () => {
    await using session = await openTestSession({ ...ON, replies: suggesting });
    session.send('hello');
    await session.sees('run the tests (tab takes it)');
    expect(session.project.server.seen).toHaveLength(2);
    session.type(`${KEYS.right} now`);
    await session.sees('run the tests now');
  });

  it('has no escapes of its own, neither as a guess nor as the input', async () => {
    const osc = '\u001b]0;owned\u0007';
    await using session = await openTestSession({
      ...ON,
      replies: (body) => {
        const { text } = suggesting(body);
        return { text: text === 'run the tests' ? `${text}${osc}\u202e` : text };
      },
    });
    session.send('hello');
    await session.sees('(tab takes it)');
    session.type(KEYS.tab);
    await session.sheds('(tab takes it)');
    await session.sees('run the tests\\u{1b}]0;owned\\u{7}\\u{202e}');
    expect(session.raw()).not.toContain(osc);
    expect(session.raw()).not.toContain('\u202e');
  });

  it('is off by its switch', async () => {
    await using session = await openTestSession({ replies: suggesting });
    session.send('hello');
    await session.sees('⏹ Done.');
    expect(session.project.server.seen).toHaveLength(1);
  });
});

describe('/btw', () => {
  const answers = (body: { messages: unknown[] }, n: number) => {
    if (JSON.stringify(body.messages.at(-1)).includes('side question')) return { text: 'because of that' };
    return n === 0 ? bash(until('go')) : { text: 'answered' };
  };

  it('answers beside a running turn, from its prefix, and enters nothing into the conversation', async () => {
    await using session = await openTestSession({ replies: answers, args: ['--allowedTools', 'Bash'] });
    session.send('hello');
    await session.sees('running tools');
    session.send('/btw why this file?');
    await session.sees('because of that');
    expect(session.screen()).toContain('running tools');
    const [first, side] = session.project.server.seen;
    expect(side?.body.messages.slice(0, 1)).toEqual(first?.body.messages.slice(0, 1));
    session.type(KEYS.escape);
    await session.sheds('because of that');
    session.project.write('go', '');
    await session.sees('⏹ Done.');
    session.send('next');
    await expect.poll(() => lastMessage(session.project)).toContain('next');
    expect(allMessages(session.project)).not.toContain('because of that');
  });

  it('needs a question, and a conversation', async () => {
    await using session = await openTestSession();
    session.send('/btw');
    await session.sees('Write the question after it');
    session.send('/btw what?');
    await session.sees('There is no conversation yet');
  });
});

describe('notices', () => {
  it('shows what an asyncRewake hook says, and that it woke the agent', async () => {
    const late = { type: 'command', command: 'echo found it >&2; exit 2', async: true, asyncRewake: true };
    await using session = await openTestSession({
      args: ['--trust-project'],
      replies: [{ text: 'first' }, { text: 'woken' }],
      files: { '.claude/settings.json': settings(hook('Stop', late)) },
    });
    session.send('work');
    await session.sees('woken');
    expect(session.all()).toMatch(/↩ .*found it/);
  });

  it('shows the end of a background task, which is the next prompt', async () => {
    const start = {
      tools: [{ name: 'Bash', input: { command: until('go'), run_in_background: true, description: 'the build' } }],
    };
    await using session = await openTestSession({
      args: ['--allowedTools', 'Bash'],
      replies: [start, { text: 'started' }, { text: 'it is built' }],
    });
    session.send('build');
    await session.sees('1 in the background');
    session.project.write('go', '');
    await session.sees('it is built');
  });

  it('tells that something was remembered', async () => {
    const fact = '{"operations":[]}';
    await using session = await openTestSession({
      replies: (body) =>
        JSON.stringify(body).includes('memory') && body.tools?.length === 0 ? { text: fact } : { text: 'ok' },
      env: { STOPGATE_DISABLE_MEMORY: '' },
    });
    session.send('remember that we use pnpm');
    await session.sees('memory extraction');
  });
});

it('asks the person what a hook wants to know, and gives the hook the answer', async () => {
  const script = [
    'read -r event',
    `echo '{"prompt":"where","message":"Deploy where?","options":[{"key":"s","label":"staging"},{"key":"p","label":"production"}]}'`,
    'read -r answer',
    'echo "$answer" > answer',
  ].join('; ');
  await using session = await openTestSession({
    args: ['--trust-project'],
    files: {
      '.claude/settings.json': settings(
        hook('Stop', { type: 'command', command: script, asksUser: true, statusMessage: 'Asking' }),
      ),
    },
  });
  session.send('work');
  await session.sees('Deploy where?');
  session.type('2');
  await session.project.sees('answer');
  await expect.poll(() => session.project.read('answer')).toContain('"p"');
  await session.sees('⏹ Done.');
});
