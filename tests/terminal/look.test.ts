import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { KEYS } from '../support/screen.ts';
import { bash, openTestSession, until } from '../support/session.ts';

const MARKDOWN =
  '# Title\n\nSome **bold** and `code`.\n\n- one\n- two\n\n```js\nlet a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';

describe('what is shown', () => {
  it('answers, says why it ended, and goes on', async () => {
    await using session = await openTestSession({ replies: (_, n) => ({ text: `answer ${n}` }) });
    session.send('first question');
    await session.sees('answer 0');
    await session.sees('⏹ Done.');
    session.send('second');
    await session.sees('answer 1');
    const last = JSON.stringify(session.project.server.seen.at(-1)?.body.messages);
    for (const text of ['first question', 'answer 0', 'second']) expect(last).toContain(text);
    session.type(KEYS.ctrlD);
    expect(await session.ended).toBe(0);
    expect(session.all()).toContain('> first question');
  });

  it('renders Markdown: headings, emphasis, lists, code, tables', async () => {
    await using session = await openTestSession({ replies: [{ text: MARKDOWN }], rows: 40 });
    session.send('x');
    await session.sees('⏹ Done.');
    expect(session.all()).toMatch(/^Title$/m);
    expect(session.all()).toContain('Some bold and code.');
    expect(session.all()).toContain('- two');
    expect(session.all()).toContain('let a = 1;');
    expect(session.all()).not.toContain('u001b');
    expect(session.raw()).toContain('\u001b[1mbold\u001b[22m');
    expect(session.raw()).toContain('\u001b[36mcode\u001b[39m');
  });

  it('folds a tool’s output, and shows all of it with ctrl+o', async () => {
    await using session = await openTestSession({
      replies: [bash('seq 1 30'), { text: 'counted' }],
      args: ['--allowedTools', 'Bash(seq *)'],
      rows: 60,
    });
    session.send('count');
    await session.sees('counted');
    expect(session.all()).toMatch(/● Bash seq 1 30\n {2}1\n/);
    expect(session.all()).toContain('… 23 more lines');
    expect(session.all()).not.toMatch(/^ {2}30$/m);
    session.type(KEYS.ctrlO);
    await session.sees('All of the last turn');
    expect(session.screen()).toMatch(/^ {2}30$/m);
    expect(session.screen()).toContain('counted');
    session.type(KEYS.ctrlO);
    await session.sheds('All of the last turn');
    expect(session.screen()).toContain('counted');
  });

  it('prints nothing that a terminal would obey', async () => {
    await using session = await openTestSession({ replies: [{ text: 'before \u001b]0;title\u0007\u001b[2J after' }] });
    session.send('x');
    await session.sees('after');
    expect(session.raw()).not.toContain('\u001b]0;title');
    expect(session.raw()).not.toContain('\u001b[2J');
  });

  it.each([40, 24])('fits into %i columns, with wide characters', async (columns) => {
    await using session = await openTestSession({
      columns,
      rows: 20,
      replies: [{ text: `${'wide 漢字 '.repeat(20)}\n\n- one\n- two` }],
    });
    session.send('ünïcode 🙂 prompt');
    await session.sees('⏹ Done.');
    expect(session.all()).toContain('- two');
    expect(session.all()).toContain('> ünïcode 🙂 prompt');
    expect(session.screen()).toContain('/help');
  });

  it('follows the size of the terminal', async () => {
    await using session = await openTestSession({ replies: [{ text: 'word '.repeat(60) }], columns: 100 });
    session.send('x');
    await session.sees('⏹ Done.');
    session.resize(50, 20);
    session.type('typed after');
    await session.sees('typed after');
    await expect
      .poll(
        () =>
          session
            .screen()
            .split('\n')
            .find((line) => line.startsWith('───'))?.length,
      )
      .toBe(50);
    expect(session.all().match(/⏹ Done\./g)).toHaveLength(1);
  });

  it('has no colors with NO_COLOR', async () => {
    await using session = await openTestSession({ env: { NO_COLOR: '1' }, replies: [{ text: '**bold** `code`' }] });
    session.send('x');
    await session.sees('⏹ Done.');
    for (const code of ['1', '2', '31', '33', '36', '90']) expect(session.raw()).not.toContain(`\u001b[${code}m`);
  });

  it.each([
    ['STOPGATE_THEME', { STOPGATE_THEME: 'light' }, '38;5;24'],
    ['COLORFGBG', { COLORFGBG: '0;15' }, '38;5;24'],
    ['a dark background', { COLORFGBG: '15;0' }, '36'],
  ])('has colors that are readable on the background, by %s', async (_how, env, cyan) => {
    await using session = await openTestSession({ env, replies: [{ text: '`code`' }] });
    session.send('x');
    await session.sees('⏹ Done.');
    expect(session.raw()).toContain(`\u001b[${cyan}mcode`);
  });

  it('shows the status line of the settings, with its colors and without anything else', async () => {
    const command = `read -r json; case $json in *'"session_id"'*) printf '\\033[32mbranch main\\033[0m\\033[2J\\n';; esac`;
    const statusLine = JSON.stringify({ statusLine: { type: 'command', command } });
    await using session = await openTestSession({
      args: ['--trust-project'],
      files: { '.claude/settings.json': statusLine },
    });
    await session.sees('branch main');
    expect(session.raw()).toContain('\u001b[32mbranch main');
    expect(session.raw()).not.toContain('\u001b[2J');
  });

  it('suspends with ctrl+z and continues with fg', async () => {
    await using session = await openTestSession({
      shell: 'set -m; CMD; echo SUSPENDED; stty -a | tr " ;" "\\n\\n" | grep -x icanon; read -r x; fg',
      rows: 40,
    });
    session.type('half a thought');
    await session.sees('half a thought');
    session.type(KEYS.ctrlZ);
    await session.sees('SUSPENDED');
    await session.sees('icanon');
    session.type('\r');
    await expect.poll(() => session.screen().split('SUSPENDED').at(-1)).toContain('half a thought');
    session.type(' goes on');
    await session.sees('half a thought goes on');
  });
});

describe('plain mode', () => {
  it('is lines in and lines out: prompts, tools, hooks, questions, the end', async () => {
    await using session = await openTestSession({
      args: ['--plain'],
      replies: [bash('touch made'), { text: 'It is made.' }],
    });
    session.send('make it');
    await session.sees('May Bash run?');
    session.send('y');
    await session.sees('It is made.');
    await session.sees('⏹ Done.');
    expect(session.raw()).not.toContain('\u001b[');
    session.send('/help');
    await session.sees('ctrl+o');
    session.type(KEYS.ctrlD);
    expect(await session.ended).toBe(0);
  });

  it('takes a line for an answer only if it is a key and nothing else', async () => {
    await using session = await openTestSession({
      args: ['--plain'],
      replies: [bash('touch made'), { text: 'It is made.' }],
    });
    const questions = () => session.all().match(/May Bash run\?/g)?.length;
    session.send('make it');
    await session.sees('yes, once');
    for (const [at, line] of ['all files belong in src, please', 'yes', 'y es', 'ŷ'].entries()) {
      session.send(line);
      await expect.poll(questions).toBe(at + 2);
    }
    expect(existsSync(path.join(session.project.dir, 'made'))).toBe(false);
    session.send(' Y ');
    await session.sees('It is made.');
    expect(existsSync(path.join(session.project.dir, 'made'))).toBe(true);
  });

  it('is what a dumb terminal gets, and ctrl+c interrupts there', async () => {
    await using session = await openTestSession({
      args: ['--allowedTools', 'Bash'],
      env: { TERM: 'dumb' },
      replies: [bash(`touch begun; ${until('never')}`), { text: 'next' }],
    });
    session.send('work');
    await session.project.sees('begun');
    session.type(KEYS.ctrlC);
    await session.sees('Interrupted while tools were running.');
    session.send('again');
    await session.sees('next');
  });
});

it('is not opened without a terminal: one sentence says what to do', () => {
  const { BIN } = { BIN: `${import.meta.dirname}/../../bin/stopgate.js` };
  expect(() => execFileSync(process.execPath, [BIN, 'hello'], { stdio: 'pipe' })).toThrow(
    /Without a terminal, use stopgate -p "hello"/,
  );
});
