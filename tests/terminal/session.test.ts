import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';
import { KEYS, openScreen } from '../support/screen.ts';

const bash = (command: string) => ({ tools: [{ name: 'Bash', input: { command } }] });
const TRUSTED = { args: ['--trust-project'] };
const settings = (hooks: unknown, more: object = {}) => JSON.stringify({ hooks, ...more });

describe('a terminal session', () => {
  it('answers, says why it ended, and goes on', async () => {
    await using project = await testProject((_, n) => ({ text: `answer ${n}` }));
    await using session = openScreen(project);
    await session.sees('/help');
    session.type(`first question${KEYS.enter}`);
    await session.sees('answer 0');
    await session.sees('⏹ Done.');
    session.type(`second${KEYS.enter}`);
    await session.sees('answer 1');
    const last = JSON.stringify(project.server.seen.at(-1)?.body.messages);
    for (const text of ['first question', 'answer 0', 'second']) expect(last).toContain(text);
    session.type(KEYS.ctrlD);
    expect(await session.ended).toBe(0);
    expect(session.all()).toContain('> first question');
  });

  it('shows a tool with its output, folded, and all of it with ctrl+o', async () => {
    const replies = [bash('seq 1 30'), { text: 'counted' }];
    await using project = await testProject((_, n) => replies[n] ?? { text: 'more' });
    await using session = openScreen(project, { args: ['--allowedTools', 'Bash(seq *)'], rows: 60 });
    await session.sees('/help');
    session.type(`count${KEYS.enter}`);
    await session.sees('counted');
    expect(session.all()).toMatch(/● Bash seq 1 30\n {2}1\n/);
    expect(session.all()).toContain('… 25 more lines');
    expect(session.all()).not.toMatch(/^ {2}30$/m);
    session.type(KEYS.ctrlO);
    await session.sees('All of the last turn');
    expect(session.screen()).toMatch(/^ {2}30$/m);
    session.type(KEYS.ctrlO);
    await session.sheds('All of the last turn');
    expect(session.screen()).toContain('counted');
  });

  describe('the end of a turn', () => {
    it('shows a line for each hook while they run, and tells a block from a failure', async () => {
      const replies = [{ text: 'I am done.' }, { text: 'Now really.' }];
      await using project = await testProject((_, n) => replies[n] ?? { text: 'more' });
      const blockOnce = 'if [ -e once ]; then exit 0; fi; touch once; echo tests fail >&2; exit 2';
      project.write(
        '.claude/settings.json',
        settings({
          Stop: [
            {
              hooks: [
                {
                  type: 'command',
                  command: 'until [ -e go ]; do sleep 0.05; done',
                  statusMessage: 'Checking the work',
                },
                { type: 'command', command: blockOnce },
                { type: 'command', command: 'echo oops >&2; exit 1' },
              ],
            },
          ],
        }),
      );
      await using session = openScreen(project, TRUSTED);
      await session.sees('/help');
      session.type(`work${KEYS.enter}`);
      await session.sees('Stop: 2 of 3 done');
      expect(session.screen()).toMatch(/I am done\.[\s\S]*… Checking the work · running · \d+s/);
      expect(session.screen()).toMatch(/✗ if \[ -e once .* · blocked/);
      expect(session.screen()).toMatch(/\? echo oops .* · no verdict/);
      project.write('go', '');
      await session.sees('Now really.');
      await session.sees('⏹ Done.');
      expect(session.all()).toMatch(/✗ A Stop hook sent the agent back/);
      expect(session.all()).toMatch(/\? A Stop hook gave no verdict/);
      expect(session.all()).toContain('↩ Stop hook feedback:');
      expect(session.screen()).toContain('A Stop hook gave no verdict · ctrl+o to see');
    });

    it('is interrupted by esc: the hooks end, nothing more is sent, and the prompt is free', async () => {
      await using project = await testProject((_, n) => ({ text: `answer ${n}` }));
      project.write(
        '.claude/settings.json',
        settings({
          Stop: [{ hooks: [{ type: 'command', command: 'echo $$ > pid; sleep 600', statusMessage: 'Waiting' }] }],
        }),
      );
      await using session = openScreen(project, TRUSTED);
      await session.sees('/help');
      session.type(`work${KEYS.enter}`);
      await session.sees('Stop: 0 of 1 done');
      await project.sees('pid');
      session.type(KEYS.escape);
      await session.sees('Interrupted while Stop hooks were running.');
      expect(project.server.seen).toHaveLength(1);
      const pid = Number(project.read('pid'));
      await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
      session.type('still here');
      await session.sees('still here');
    });

    it('names the outcome of the checks, blocked and then passed', async () => {
      const replies = [{ text: 'Done.' }, bash('touch fixed'), { text: 'Fixed.' }];
      await using project = await testProject((_, n) => replies[n] ?? { text: 'more' });
      project.write(
        'stopgate.config.json',
        JSON.stringify({ checks: [{ name: 'tests', command: 'test -e fixed', when: 'always' }] }),
      );
      execFileSync('git', ['init', '-q'], { cwd: project.dir });
      await using session = openScreen(project, { args: ['--trust-project', '--allowedTools', 'Bash'] });
      await session.sees('checks: tests');
      session.type(`fix it${KEYS.enter}`);
      await session.sees('✓ passed (tests)');
      expect(session.all()).toContain('Not done yet: 1 of 1 check failed.');
      session.type(`/why${KEYS.enter}`);
      await session.sees('sent back: failed (tests)');
    });
  });

  describe('typing while it works', () => {
    it('steers the running turn with enter, at its next step', async () => {
      const replies = [bash('until [ -e go ]; do sleep 0.05; done'), { text: 'heard you' }];
      await using project = await testProject((_, n) => replies[n] ?? { text: 'more' });
      await using session = openScreen(project, { args: ['--allowedTools', 'Bash'] });
      await session.sees('/help');
      session.type(`start${KEYS.enter}`);
      await session.sees('running tools');
      session.type(`use the other file${KEYS.enter}`);
      await session.sees('↳ next step: use the other file');
      project.write('go', '');
      await session.sees('heard you');
      expect(JSON.stringify(project.server.seen[1]?.body.messages)).toContain('use the other file');
      expect(project.server.seen).toHaveLength(2);
      expect(session.screen()).not.toContain('↳ next step');
    });

    it('queues with tab for after the turn, and gives it back to edit with alt+up', async () => {
      const replies = [bash('until [ -e go ]; do sleep 0.05; done'), { text: 'first done' }, { text: 'second done' }];
      await using project = await testProject((_, n) => replies[n] ?? { text: 'more' });
      await using session = openScreen(project, { args: ['--allowedTools', 'Bash'] });
      await session.sees('/help');
      session.type(`start${KEYS.enter}`);
      await session.sees('running tools');
      session.type(`later${KEYS.tab}`);
      await session.sees('⧗ after this turn: later');
      session.type(KEYS.altUp);
      await session.sheds('⧗ after this turn');
      session.type(`on${KEYS.tab}`);
      await session.sees('⧗ after this turn: lateron');
      project.write('go', '');
      await session.sees('second done');
      expect(JSON.stringify(project.server.seen[1]?.body.messages)).not.toContain('lateron');
      expect(JSON.stringify(project.server.seen[2]?.body.messages)).toContain('lateron');
    });
  });

  describe('a permission question', () => {
    const ask = async (key: string, second = 'touch again') => {
      const replies = [bash('touch made'), { text: 'went on' }, bash(second), { text: 'twice' }];
      const project = await testProject((_, n) => replies[n] ?? { text: 'more' });
      const session = openScreen(project);
      await session.sees('/help');
      session.type(`make it${KEYS.enter}`);
      await session.sees('May Bash run?');
      await session.sees('yes, once');
      expect(session.screen()).toContain('$ touch made');
      session.type(key);
      const made = () => existsSync(path.join(project.dir, 'made'));
      return {
        project,
        session,
        made,
        [Symbol.asyncDispose]: async () => {
          await session[Symbol.asyncDispose]();
          await project[Symbol.asyncDispose]();
        },
      };
    };

    it('is answered once', async () => {
      await using asked = await ask('y');
      await asked.session.sees('went on');
      expect(asked.made()).toBe(true);
      asked.session.type(`again${KEYS.enter}`);
      await asked.session.sees('$ touch again');
    });

    it('is answered for the session, with the rule shown', async () => {
      await using asked = await ask('s', 'touch made');
      await asked.session.sees('went on');
      expect(asked.session.all()).toMatch(/Allowed in this session: Bash\(touch/);
      asked.session.type(`again${KEYS.enter}`);
      await asked.session.sees('twice');
    });

    it('is refused', async () => {
      await using asked = await ask('n');
      await asked.session.sees('went on');
      expect(asked.made()).toBe(false);
      expect(JSON.stringify(asked.project.server.seen[1]?.body.messages)).toContain('The user said no.');
    });

    it("is refused with words of one's own", async () => {
      await using asked = await ask('w');
      await asked.session.sees('Say what to do instead.');
      asked.session.type(`write it differently${KEYS.enter}`);
      await asked.session.sees('went on');
      expect(asked.made()).toBe(false);
      expect(JSON.stringify(asked.project.server.seen[1]?.body.messages)).toContain('write it differently');
    });

    it('is not answered by a paste', async () => {
      await using asked = await ask(KEYS.paste('yyy'));
      asked.session.type('n');
      await asked.session.sees('went on');
      expect(asked.made()).toBe(false);
    });
  });

  it('shows a guess at the next prompt, which tab takes and typing removes', async () => {
    const answer = (body: { messages: unknown[] }) =>
      JSON.stringify(body.messages.at(-1)).includes('most likely type next')
        ? { text: 'run the tests' }
        : { text: 'answered' };
    await using project = await testProject(answer);
    await using session = openScreen(project, { env: { STOPGATE_ENABLE_PROMPT_SUGGESTION: '1' } });
    await session.sees('/help');
    session.type(`hello${KEYS.enter}`);
    await session.sees('run the tests (tab takes it)');
    session.type('x');
    await session.sheds('(tab takes it)');
    session.type('\u007f');
    session.type(`again${KEYS.enter}`);
    await session.sees('run the tests (tab takes it)');
    session.type(KEYS.tab);
    await session.sheds('(tab takes it)');
    session.type(KEYS.enter);
    await expect.poll(() => JSON.stringify(project.server.seen.at(-1)?.body.messages)).toContain('run the tests');
  });

  it('answers /btw beside the conversation', async () => {
    const answer = (body: { messages: unknown[] }) =>
      JSON.stringify(body.messages.at(-1)).includes('side question')
        ? { text: 'because of that' }
        : { text: 'answered' };
    await using project = await testProject(answer);
    await using session = openScreen(project);
    await session.sees('/help');
    session.type(`hello${KEYS.enter}`);
    await session.sees('⏹ Done.');
    session.type(`/btw why?${KEYS.enter}`);
    await session.sees('because of that');
    session.type(KEYS.escape);
    await session.sheds('because of that');
    session.type(`next${KEYS.enter}`);
    await expect.poll(() => JSON.stringify(project.server.seen.at(-1)?.body.messages)).toContain('next');
    expect(JSON.stringify(project.server.seen.at(-1)?.body.messages)).not.toContain('because of that');
  });

  it('keeps a draft through kill -9, and leaves a terminal that works', async () => {
    await using project = await testProject(() => ({ text: 'x' }));
    await using first = openScreen(project, {
      shell:
        'sh -c "echo \\$\\$ > pid; exec CMD"; echo SHELL IS BACK; sleep 0.2; stty -a | tr " " "\\n" | grep icanon; cat',
    });
    await first.sees('/help');
    first.type('half a thought');
    await first.sees('half a thought');
    const draft = () =>
      project.transcripts().length >= 0 &&
      execFileSync('find', [project.home, '-name', 'draft-*.txt']).toString().trim();
    await expect.poll(draft).not.toBe('');
    process.kill(Number(project.read('pid')), 'SIGKILL');
    await first.sees('SHELL IS BACK');
    await first.sees('icanon');
    expect(first.all()).not.toContain('-icanon');
    expect(first.raw()).toContain('\u001b[?25h');
    await using second = openScreen(project);
    await second.sees('half a thought');
  });

  it('resumes with what was said, by --continue', async () => {
    await using project = await testProject((_, n) => ({ text: `answer ${n}` }));
    await using first = openScreen(project);
    await first.sees('/help');
    first.type(`remember me${KEYS.enter}`);
    await first.sees('⏹ Done.');
    first.type(KEYS.ctrlC);
    await first.ended;
    await using second = openScreen(project, { args: ['--continue'] });
    await second.sees('> remember me');
    await second.sees('answer 0');
  });

  it('runs !commands, shows /help, and refuses a misspelled command', async () => {
    await using project = await testProject(() => ({ text: 'x' }));
    await using session = openScreen(project, { rows: 60 });
    await session.sees('/help');
    session.type(`!echo from the shell | tr a-z A-Z${KEYS.enter}`);
    await session.sees('FROM THE SHELL');
    session.type(`/help${KEYS.enter}`);
    await session.sees('/btw QUESTION');
    session.type(`/permissions${KEYS.enter}`);
    await session.sees('mode: default');
    session.type(KEYS.shiftTab);
    await session.sees('acceptEdits mode');
    expect(project.server.seen).toHaveLength(0);
  });

  it('prints nothing that a terminal would obey', async () => {
    await using project = await testProject(() => ({ text: 'before \u001b]0;title\u0007\u001b[2J after' }));
    await using session = openScreen(project);
    await session.sees('/help');
    session.type(`x${KEYS.enter}`);
    await session.sees('after');
    expect(session.raw()).not.toContain('\u001b]0;title');
    expect(session.raw()).not.toContain('\u001b[2J');
  });

  it.each([40, 24])('fits into %i columns', async (columns) => {
    await using project = await testProject(() => ({ text: `${'wide 漢字 '.repeat(20)}\n\n- one\n- two` }));
    await using session = openScreen(project, { columns, rows: 20 });
    await session.sees('/help');
    session.type(`ünïcode 🙂 prompt${KEYS.enter}`);
    await session.sees('⏹ Done.');
    expect(session.all()).toContain('- two');
    expect(session.screen()).toContain('/help');
  });

  it('has no colors with NO_COLOR', async () => {
    await using project = await testProject(() => ({ text: '**bold** `code`' }));
    await using session = openScreen(project, { env: { NO_COLOR: '1' } });
    await session.sees('/help');
    session.type(`x${KEYS.enter}`);
    await session.sees('⏹ Done.');
    for (const code of ['1', '2', '31', '33', '36', '90']) expect(session.raw()).not.toContain(`\u001b[${code}m`);
  });
});
