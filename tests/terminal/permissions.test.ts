import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerReply } from '../../src/testing/modelServer.ts';
import { KEYS } from '../support/screen.ts';
import { allMessages, bash, hook, lastMessage, openTestSession, settings } from '../support/session.ts';

const asked = async (
  first: ServerReply = bash('touch made'),
  second: ServerReply = bash('touch again'),
  files = {},
) => {
  const session = await openTestSession({ replies: [first, { text: 'went on' }, second, { text: 'twice' }], files });
  session.send('make it');
  await session.sees('yes, once');
  return session;
};
const has = (dir: string, file: string) => existsSync(path.join(dir, file));

describe('a permission question', () => {
  it('shows the command and is answered once', async () => {
    await using session = await asked();
    expect(session.screen()).toContain('$ touch made');
    session.type('y');
    await session.sees('went on');
    expect(has(session.project.dir, 'made')).toBe(true);
    session.send('again');
    await session.sees('$ touch again');
  });

  it('is answered for the session, with the rule shown', async () => {
    await using session = await asked(bash('touch made'), bash('touch made'));
    session.type('s');
    await session.sees('went on');
    expect(session.all()).toContain('Allowed in this session: Bash(touch made)');
    session.send('again');
    await session.sees('twice');
  });

  it('is answered for good: the rule is written outside the repository, and holds in the next session', async () => {
    await using session = await asked();
    session.type('a');
    await session.sees('Allowed in this project: Bash(touch made)');
    await session.sees('went on');
    const file = execFileSync('find', [session.project.home, '-name', 'allowed.json']).toString().trim();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ allow: ['Bash(touch made)'] });
    session.type(KEYS.ctrlD);
    await session.ended;
    await using next = await session.again();
    next.send('/permissions');
    await next.sees('allow: Bash(touch made)');
  });

  it.each(["touch 'x),Bash,(y'", "touch 'x) Bash (y'", 'touch "a b"'])(
    'offers no rule for %s, which none could say without allowing every command',
    async (command) => {
      await using session = await asked(bash(command));
      expect(session.screen()).not.toMatch(/in this session|always in this project/);
      session.type('a');
      session.type('s');
      session.type('n');
      await session.sees('went on');
      expect(session.all()).not.toContain('Allowed in');
      session.send('again');
      await session.sees('$ touch again');
    },
  );

  it('offers a rule on one file, whatever its name', async () => {
    await using session = await openTestSession({
      replies: (_, n) => {
        const write = (name: string) => ({
          tools: [{ name: 'Write', input: { file_path: `${session.project.dir}/${name}`, content: 'x' } }],
        });
        return [write('**'), { text: 'went on' }, write('other.js')][n] ?? { text: 'twice' };
      },
    });
    session.send('make it');
    await session.sees('yes, once');
    session.type('s');
    await session.sees('went on');
    session.send('again');
    await session.sees('other.js');
    await session.sees('yes, once');
    expect(has(session.project.dir, 'other.js')).toBe(false);
  });

  it('is refused', async () => {
    await using session = await asked();
    session.type('n');
    await session.sees('went on');
    expect(has(session.project.dir, 'made')).toBe(false);
    expect(lastMessage(session.project)).toContain('The user said no.');
  });

  it('is refused with words of one’s own', async () => {
    await using session = await asked();
    session.type('w');
    await session.sees('Say what to do instead.');
    session.send('write it differently');
    await session.sees('went on');
    expect(has(session.project.dir, 'made')).toBe(false);
    expect(allMessages(session.project)).toContain('write it differently');
  });

  it('is not answered by a paste, nor by letters of a word that is being typed', async () => {
    await using session = await asked();
    session.type(KEYS.paste('yes, all of it'));
    await session.sees('you are typing');
    session.type('y');
    await session.sees('yes, once');
    session.type(KEYS.escape);
    await session.sees('You ended the turn at a question.');
    expect(has(session.project.dir, 'made')).toBe(false);
    // nothing that was typed is lost
    expect(session.screen()).toContain('yes, all of ity');
  });

  it('interrupts the turn with esc', async () => {
    await using session = await asked();
    session.type(KEYS.escape);
    await session.sees('⏹ ');
    await session.sheds('yes, once');
    expect(has(session.project.dir, 'made')).toBe(false);
    expect(session.project.server.seen).toHaveLength(1);
  });

  it('shows the difference to the file that would be replaced', async () => {
    const write = (dir: string) => ({
      tools: [{ name: 'Write', input: { file_path: `${dir}/list.txt`, content: 'one\ntwo\nfour\n' } }],
    });
    await using session = await openTestSession({
      replies: (_, n) =>
        n === 0
          ? { tools: [{ name: 'Read', input: { file_path: `${session.project.dir}/list.txt` } }] }
          : n === 1
            ? write(session.project.dir)
            : { text: 'done' },
      files: { 'list.txt': 'one\ntwo\nthree\n' },
    });
    session.send('change it');
    await session.sees('yes, once');
    expect(session.screen()).toMatch(/-three\n +\+four/);
    expect(session.screen()).toMatch(/^ +two$/m);
    session.type('y');
    await session.sees('⏹ Done.');
    expect(session.all()).toMatch(/● Write .*\n +@@ .*\n +one\n +two\n +-three\n +\+four/);
    expect(session.raw()).toContain('\u001b[32m+four');
  });

  it('hides no part of a long command: v shows all of it', async () => {
    const command = [...Array.from({ length: 30 }, (_, n) => `echo step ${n}`), 'touch at-the-end'].join('\n');
    await using session = await asked(bash(command));
    expect(session.screen()).toContain('not all of it is shown (31 lines); v shows all');
    expect(session.screen()).not.toContain('$ touch at-the-end');
    session.type('v');
    await session.sees('All of the Bash call');
    session.type('G');
    await session.sees('$ touch at-the-end');
    session.type(KEYS.escape);
    await session.sheds('All of the Bash call');
    session.type('n');
    await session.sees('went on');
  });

  it.each([
    [80, 24],
    [40, 14],
    [200, 50],
  ])('says that a command of long lines is cut on a screen of %i columns and %i rows', async (columns, rows) => {
    const long = `touch ${'a'.repeat(1_300)}`;
    const command = [long, 'touch owned', long, 'echo harmless'].join('\n');
    await using session = await openTestSession({ replies: [bash(command)], columns, rows });
    session.send('make it');
    await session.sees('no, and say what to do instead');
    expect(session.screen()).toContain('May Bash run?');
    expect(session.screen()).toMatch(/\$ touch\n {2}aaa/);
    expect(session.screen()).toMatch(/not all of it is shown|echo harmless/);
    session.type('v');
    await session.sees('All of the Bash call');
    session.type('G');
    await session.sees('echo harmless');
  });

  it('shows characters that have no width', async () => {
    await using session = await asked(bash('touch pack\u200bage.json \u202egnp'));
    expect(session.screen()).toContain('$ touch pack\\u{200b}age.json \\u{202e}gnp');
    expect(session.raw()).not.toMatch(/[\u200b\u202e]/);
  });

  it('asks for several agents one after the other, and not again for what was allowed meanwhile', async () => {
    const agents = ['left', 'right'].map((name) => ({
      name: 'Agent',
      input: { description: name, prompt: `${name} please` },
    }));
    await using session = await openTestSession({
      replies: (body) => {
        const text = JSON.stringify(body.messages);
        if (text.includes('both please'))
          return text.includes('tool_result') ? { text: 'all done' } : { tools: agents };
        return text.includes('tool_result') ? { text: 'sub done' } : bash('touch shared');
      },
    });
    session.send('both please');
    await session.sees('Subagent');
    await session.sees('1 more questions wait');
    session.type('s');
    await session.sees('all done');
    expect(session.all().match(/Allowed in this session/g)).toHaveLength(1);
  });

  it('rings, asks the terminal for a notification, and runs Notification hooks', async () => {
    const note = { '.claude/settings.json': settings(hook('Notification', 'cat > noticed')) };
    await using session = await openTestSession({
      args: ['--trust-project'],
      replies: [bash('touch made')],
      files: note,
    });
    session.send('make it');
    await session.sees('yes, once');
    expect(session.raw()).toContain('\u001b]9;Stopgate needs your permission to use Bash');
    await session.project.sees('noticed');
    await expect.poll(() => session.project.read('noticed')).toContain('"notification_type":"permission_prompt"');
  });
});

describe('trust', () => {
  it('is asked here, where the person is', async () => {
    const files = { '.claude/settings.json': settings(hook('Stop', 'touch stopped')) };
    await using session = await openTestSession({ files });
    await session.sees('/trust shows what this project wants to switch on');
    session.send('/trust');
    await session.sees('[y/N]');
    session.send('y');
    await session.sees('What was approved holds from now on');
    await expect.poll(() => session.all().match(/anthropic\/claude-sonnet-5-5 in/g)?.length).toBe(2);
    session.send('work');
    await session.project.sees('stopped');
  });

  it('is not given by the agent of a session', async () => {
    const files = { '.claude/settings.json': settings(hook('Stop', 'touch stopped')) };
    const trust = `node ${path.join(import.meta.dirname, '../../bin/stopgate.js')} trust --yes; echo code $?`;
    await using session = await openTestSession({ args: ['--allowedTools', 'Bash'], replies: [bash(trust)], files });
    session.send('trust yourself');
    await session.sees('is for people');
    await session.sees('⏹ Done.');
    expect(has(session.project.dir, 'stopped')).toBe(false);
  });
});
