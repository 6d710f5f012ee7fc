import { describe, expect, it } from 'vitest';
import { KEYS } from '../support/screen.ts';
import { allMessages, bash, hook, openTestSession, settings, until } from '../support/session.ts';

const WORKING = { args: ['--allowedTools', 'Bash'] };

describe('typing while it works', () => {
  it('steers the running turn with enter, at its next step', async () => {
    await using session = await openTestSession({ ...WORKING, replies: [bash(until('go')), { text: 'heard you' }] });
    session.send('start');
    await session.sees('running tools');
    session.send('use the other file');
    await session.sees('↳ next step: use the other file');
    session.project.write('go', '');
    await session.sees('heard you');
    expect(allMessages(session.project, 1)).toContain('use the other file');
    expect(session.project.server.seen).toHaveLength(2);
    expect(session.screen()).not.toContain('↳ next step');
    expect(session.all()).toContain('> use the other file');
  });

  it('queues with tab for after the turn; alt+up takes it back, to edit or remove', async () => {
    const replies = [bash(until('go')), { text: 'first done' }, { text: 'second done' }];
    await using session = await openTestSession({ ...WORKING, replies });
    session.send('start');
    await session.sees('running tools');
    session.type(`later${KEYS.tab}`);
    await session.sees('⧗ after this turn: later');
    session.type(KEYS.altUp);
    await session.sheds('⧗ after this turn');
    session.type(`on${KEYS.tab}`);
    await session.sees('⧗ after this turn: lateron');
    session.type(`mistake${KEYS.tab}`);
    await session.sees('after this turn: mistake');
    session.type(KEYS.altUp);
    await session.sheds('after this turn: mistake');
    session.type(KEYS.ctrlC);
    session.project.write('go', '');
    await session.sees('second done');
    expect(allMessages(session.project, 1)).not.toContain('lateron');
    expect(allMessages(session.project, 2)).toContain('lateron');
    expect(allMessages(session.project, 2)).not.toContain('mistake');
  });

  it('keeps what waits and what is half typed through an interrupt', async () => {
    await using session = await openTestSession({ ...WORKING, replies: [bash('sleep 600'), { text: 'went on' }] });
    session.send('start');
    await session.sees('running tools');
    session.send('do this instead');
    await session.sees('↳ next step');
    session.type('half a th');
    session.type(KEYS.escape);
    await session.sees('went on');
    expect(allMessages(session.project)).toContain('do this instead');
    session.type('ought');
    await session.sees('half a thought');
  });

  it('keeps the draft through a compaction', async () => {
    await using session = await openTestSession({
      replies: [{ text: 'one' }, { text: 'a summary' }, { text: 'three' }],
    });
    session.send('first');
    await session.sees('one');
    session.send('/compact');
    session.type('my draft');
    await session.sees('The conversation was compacted.');
    expect(session.screen()).toContain('my draft');
    session.send('');
    await session.sees('three');
  });

  it('says why a hook refused what was typed, and gives it back', async () => {
    const refuse = 'grep -q secret && { echo no secrets here >&2; exit 2; } || exit 0';
    await using session = await openTestSession({
      args: ['--trust-project'],
      files: { '.claude/settings.json': settings(hook('UserPromptSubmit', refuse)) },
    });
    session.send('tell the secret');
    await session.sees('no secrets here');
    await session.sees('⏹ ✗');
    expect(session.project.server.seen).toHaveLength(0);
    await expect
      .poll(() =>
        session
          .screen()
          .split(/─{20,}/)
          .at(-2),
      )
      .toContain('tell the secret');
  });
});
