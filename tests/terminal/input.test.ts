import { describe, expect, it } from 'vitest';
import { KEYS } from '../support/screen.ts';
import { allMessages, openTestSession } from '../support/session.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('the input', () => {
  it('completes slash commands, the project’s too', async () => {
    await using session = await openTestSession({
      args: ['--trust-project'],
      files: { '.claude/commands/deploy.md': 'Deploy to $ARGUMENTS' },
    });
    session.type('/res');
    await session.sees('continue an earlier session');
    session.type(KEYS.ctrlC);
    await session.sheds('continue an earlier session');
    session.type('/dep');
    await session.sees('/deploy');
    session.type(KEYS.tab);
    await session.sees('/deploy ');
    session.send('staging');
    await expect.poll(() => allMessages(session.project)).toContain('Deploy to staging');
  });

  it('completes files after an @, and the model sees what they hold', async () => {
    await using session = await openTestSession({ git: true, files: { 'notes/plan.txt': 'the secret plan' } });
    session.type('read @plan');
    await session.sees('notes/plan.txt');
    session.type(KEYS.tab);
    await session.sees('@notes/plan.txt');
    session.send('');
    await expect.poll(() => allMessages(session.project)).toContain('the secret plan');
  });

  it.each([
    ['a character without a width', '\u200b', '\\u{200b}'],
    ['one that turns text around', '\u202e', '\\u{202e}'],
  ])('shows %s in the name of a file', async (_, mark, shown) => {
    await using session = await openTestSession({ git: true, files: { [`aaa${mark}2Jzz`]: '' } });
    session.type('@aaa');
    await session.sees(`aaa${shown}2Jzz`);
    session.type(KEYS.tab);
    await session.sees(`@aaa${shown}2Jzz`);
    expect(session.raw()).not.toContain(mark);
  });

  it('takes the path of an image as the image', async () => {
    await using session = await openTestSession({ git: true });
    session.project.write('shot one.png', '');
    const { writeFileSync } = await import('node:fs');
    writeFileSync(`${session.project.dir}/shot one.png`, PNG);
    session.send(`what is in '${session.project.dir}/shot one.png'`);
    await expect.poll(() => allMessages(session.project)).toContain('"type":"image"');
  });

  it('sends several lines, typed or pasted, as one prompt', async () => {
    await using session = await openTestSession();
    session.type(KEYS.paste('first line\nsecond line\n/exit\n'));
    await session.sees('second line');
    expect(session.project.server.seen).toHaveLength(0);
    session.send('');
    await expect.poll(() => allMessages(session.project)).toContain('first line\\nsecond line\\n/exit');
  });

  it('shows a large paste as a mark, and sends all of it', async () => {
    await using session = await openTestSession();
    session.type(KEYS.paste(Array.from({ length: 200 }, (_, n) => `row ${n}`).join('\n')));
    await session.sees('paste');
    session.send('');
    await expect.poll(() => allMessages(session.project)).toContain('row 199');
  });

  it('has earlier prompts on the up arrow, also of earlier sessions, and finds them with ctrl+r', async () => {
    await using first = await openTestSession();
    first.send('fix the login test');
    await first.sees('⏹ Done.');
    first.send('write the changelog');
    await expect.poll(() => first.all().match(/⏹ Done\./g)?.length).toBe(2);
    first.type(KEYS.ctrlD);
    await first.ended;
    await using session = await first.again();
    session.type(KEYS.up);
    await session.sees('write the changelog');
    session.type(KEYS.ctrlC);
    await session.sheds('write the changelog');
    session.type(KEYS.ctrlR);
    await session.sees('Earlier prompts');
    session.type('login');
    await session.sheds('write the changelog');
    session.type(KEYS.enter);
    await session.sheds('Earlier prompts');
    expect(session.screen()).toContain('fix the login test');
    session.send(' again');
    await expect.poll(() => allMessages(session.project)).toContain('fix the login test again');
  });

  it('gives a misspelled slash command back, and sends a path as a prompt', async () => {
    await using session = await openTestSession();
    session.send('/resum it');
    await session.sees('Unknown command /resum; did you mean /resume?');
    expect(session.project.server.seen).toHaveLength(0);
    session.type(KEYS.ctrlC);
    session.send('/etc/hosts is odd');
    await expect.poll(() => allMessages(session.project)).toContain('/etc/hosts is odd');
  });

  it('ends a !command with esc', async () => {
    await using session = await openTestSession();
    session.send('!echo $$ > pid; sleep 600');
    await session.sees('esc ends it');
    await session.project.sees('pid');
    session.type(KEYS.escape);
    await session.sees('you ended it');
    await session.sheds('esc ends it');
  });

  it('runs !commands', async () => {
    await using session = await openTestSession({ rows: 60 });
    session.send('!echo from the shell | tr a-z A-Z; exit 3');
    await session.sees('FROM THE SHELL');
    await session.sees('exit code 3');
    expect(session.project.server.seen).toHaveLength(0);
  });

  it('clears the input with ctrl+c, and ends the session with two of them on an empty one', async () => {
    await using session = await openTestSession();
    session.type('something');
    await session.sees('something');
    session.type(KEYS.ctrlC);
    await session.sheds('something');
    session.type(KEYS.ctrlC);
    await session.sees('ctrl+c again ends the session');
    session.type(KEYS.ctrlC);
    expect(await session.ended).toBe(0);
  });
});
