import { describe, expect, it } from 'vitest';
import { isAlive } from '../support/project.ts';
import { KEYS } from '../support/screen.ts';
import { allMessages, bash, hook, openTestSession, settings, until } from '../support/session.ts';

const TRUSTED = { args: ['--trust-project', '--allowedTools', 'Bash'] };
const withHooks = (hooks: object) => ({ '.claude/settings.json': settings(hooks) });
const checks = (...all: readonly object[]) => ({
  'stopgate.config.json': JSON.stringify({ checks: all.map((one) => ({ when: 'always', ...one })) }),
});

describe('the end of a turn, while hooks run', () => {
  it('has a line for each hook, and tells a block from a failure', async () => {
    const slow = { type: 'command', command: until('go'), statusMessage: 'Checking the work' };
    const blockOnce = 'if [ -e once ]; then exit 0; fi; touch once; echo tests fail >&2; exit 2';
    await using session = await openTestSession({
      ...TRUSTED,
      replies: [{ text: 'I am done.' }, { text: 'Now really.' }],
      files: withHooks(hook('Stop', slow, blockOnce, 'echo oops >&2; exit 1')),
    });
    session.send('work');
    await session.sees('Stop: 2 of 3 done');
    expect(session.screen()).toMatch(/I am done\.[\s\S]*… Checking the work · running · \d+s/);
    expect(session.screen()).toMatch(/✗ if \[ -e once .* · blocked/);
    expect(session.screen()).toMatch(/\? echo oops .* · no verdict/);
    expect(session.screen()).toContain('* checking the stop');
    session.project.write('go', '');
    await session.sees('Now really.');
    await session.sees('⏹ Done.');
    expect(session.all()).toMatch(/✗ A Stop hook sent the agent back/);
    expect(session.all()).toMatch(/\? A Stop hook gave no verdict/);
    expect(session.all()).toContain('↩ Stop hook feedback:');
    expect(session.screen()).toContain('A Stop hook gave no verdict · ctrl+o to see');
  });

  it('is interrupted by esc: the hooks end, nothing more is sent, and the prompt is free', async () => {
    await using session = await openTestSession({
      ...TRUSTED,
      files: withHooks(
        hook('Stop', { type: 'command', command: 'echo $$ > pid; sleep 600', statusMessage: 'Waiting' }),
      ),
    });
    session.send('work');
    await session.sees('Stop: 0 of 1 done');
    await session.project.sees('pid');
    session.type(KEYS.escape);
    await session.sees('Interrupted while Stop hooks were running.');
    expect(session.project.server.seen).toHaveLength(1);
    const pid = Number(session.project.read('pid'));
    await expect.poll(() => isAlive(pid)).toBe(false);
    session.type('still here');
    await session.sees('still here');
  });

  it('has a line for each check as it runs', async () => {
    await using session = await openTestSession({
      ...TRUSTED,
      git: true,
      files: checks({ name: 'lint', command: 'true' }, { name: 'tests', command: until('go') }),
    });
    session.send('work');
    await session.sees('… tests · running');
    expect(session.screen()).toMatch(/✓ lint · passed · \d+s\n +… tests · running · \d+s/);
    expect(session.screen()).toContain('checks: lint, tests');
    session.project.write('go', '');
    await session.sees('✓ passed (lint, tests)');
    await session.sheds('… tests · running');
  });

  it('ends checks with esc, and says that nothing is proven', async () => {
    await using session = await openTestSession({
      ...TRUSTED,
      git: true,
      files: checks({ name: 'tests', command: 'echo $$ > pid; sleep 600' }),
    });
    session.send('work');
    await session.project.sees('pid');
    session.type(KEYS.escape);
    await session.sees('Interrupted while Stop hooks were running.');
    expect(session.all()).not.toContain('✓ passed');
    await expect.poll(() => isAlive(Number(session.project.read('pid')))).toBe(false);
  });
});

describe('the end of a turn, in its own word and symbol', () => {
  it('blocked, then passed', async () => {
    await using session = await openTestSession({
      ...TRUSTED,
      git: true,
      replies: [{ text: 'Done.' }, bash('touch fixed'), { text: 'Fixed.' }],
      files: checks({ name: 'tests', command: 'test -e fixed' }),
    });
    session.send('fix it');
    await session.sees('✓ passed (tests)');
    expect(session.all()).toContain('Not done yet: 1 of 1 check failed.');
    session.send('/why');
    await session.sees('sent back: failed (tests)');
  });

  it('is not the verdict of an earlier turn, and no proof', async () => {
    await using session = await openTestSession({
      args: [...TRUSTED.args, '--require-proof'],
      git: true,
      replies: [{ text: 'Done.' }, bash('touch broken; sleep 600')],
      files: checks({ name: 'tests', command: 'test ! -e broken' }),
    });
    session.send('work');
    await session.sees('checks: ✓ passed (tests)');
    session.send('more');
    await session.project.sees('broken');
    session.type(KEYS.escape);
    await session.sees('Interrupted while tools were running.');
    await session.sees('checks: - not checked in this turn');
    session.send('/exit');
    expect(await session.ended).toBe(123);
  });

  it('advised', async () => {
    await using session = await openTestSession({
      ...TRUSTED,
      git: true,
      files: checks({ name: 'style', command: 'echo ugly; exit 1', severity: 'warn' }),
    });
    session.send('work');
    await session.sees('checks: i advised');
  });

  it('stalled', async () => {
    await using session = await openTestSession({
      ...TRUSTED,
      git: true,
      files: checks({ name: 'tests', command: 'echo no; exit 1' }),
    });
    session.send('work');
    await session.sees('checks: = stalled');
  });

  it('waived, by the person at the screen', async () => {
    await using session = await openTestSession({
      ...TRUSTED,
      git: true,
      files: checks({ name: 'tests', command: 'echo no; exit 1' }),
    });
    session.send('/waive nothing');
    await session.sees('the checks are tests');
    session.send('/waive tests fails on main too');
    await session.sees('tests is waived in this session: fails on main too');
    session.send('work');
    await session.sees('checks: ~ waived');
  });

  it('capped', async () => {
    await using session = await openTestSession({
      ...TRUSTED,
      files: withHooks(hook('Stop', 'echo never >&2; exit 2')),
      env: { STOPGATE_STOP_HOOK_BLOCK_CAP: '2' },
    });
    session.send('work');
    await session.sees('⏹ ^ Stopped although a Stop hook still objects');
  });

  it('ended by a hook', async () => {
    const stop = `echo '{"continue":false,"stopReason":"enough for today"}'`;
    await using session = await openTestSession({ ...TRUSTED, files: withHooks(hook('Stop', stop)) });
    session.send('work');
    await session.sees('A Stop hook ended the turn: enough for today');
  });

  it('an error of the model', async () => {
    await using session = await openTestSession({
      replies: [{ error: { status: 400, type: 'invalid_request_error', message: 'bad model' } }],
    });
    session.send('work');
    await session.sees('⏹ ! ');
    expect(session.all()).toContain('bad model');
  });
});

describe('what surrounds the end of a turn', () => {
  it('folds long feedback, and shows the exact text that the model got with ctrl+o', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `failure ${index + 1}`).join('\\n');
    const blockOnce = `if [ -e once ]; then exit 0; fi; touch once; printf '${lines}' >&2; exit 2`;
    await using session = await openTestSession({ ...TRUSTED, rows: 60, files: withHooks(hook('Stop', blockOnce)) });
    session.send('work');
    await session.sees('⏹ Done.');
    expect(session.all()).toContain('↩ failure 2');
    expect(session.all()).not.toContain('↩ failure 20');
    expect(allMessages(session.project)).toContain('failure 20');
    session.type(KEYS.ctrlO);
    await session.sees('↩ failure 20');
    session.type('g');
    await session.sees('Stop hook · if [ -e once ]');
    session.type(KEYS.escape);
    await session.sheds('All of the last turn');
  });

  it('shows token budget, time left, checks and spend in the footer', async () => {
    const end = String(Math.floor(Date.now() / 1000) + 3600);
    await using session = await openTestSession({
      ...TRUSTED,
      git: true,
      replies: [
        { ...bash(until('go')), usage: { out: 500 } },
        { text: 'x', usage: { out: 2000 } },
      ],
      files: checks({ name: 'tests', command: 'true' }),
      env: { STOPGATE_BUDGET_END: end },
    });
    session.send('work on it +2k');
    await session.sees('of 2k tokens');
    expect(session.screen()).toMatch(
      /esc to interrupt · \d+[hm]\S* left · \d+% of 2k tokens · default mode \(shift\+tab\) · checks: tests · \$/,
    );
    session.project.write('go', '');
    await session.sees('✓ passed (tests)');
  });

  it('ends what still runs in the background with a second esc', async () => {
    const start = {
      tools: [{ name: 'Bash', input: { command: 'echo $$ > pid; sleep 600', run_in_background: true } }],
    };
    await using session = await openTestSession({ ...TRUSTED, replies: [start, { text: 'started it' }] });
    session.send('work');
    await session.sees('started it');
    await session.sees('1 in the background');
    await session.project.sees('pid');
    session.type(KEYS.escape);
    await session.sees('esc again ends them');
    session.type(KEYS.escape);
    await session.sees('Ended: ');
    await expect.poll(() => isAlive(Number(session.project.read('pid')))).toBe(false);
  });
});
