import { lastOf, since } from './clean.mjs';

const bash = (command) => ({ tools: [{ name: 'Bash', input: { command } }] });
const isMain = (body) => (body.tools ?? []).length > 2;

/** Answers of the conversation, in turn; what a program asks besides gets `ok`. */
function inTurn(...replies) {
  let next = 0;
  return (body) => (isMain(body) ? (replies[next++] ?? { text: 'Nothing more.' }) : { text: 'ok' });
}

/** What came after the model's last answer, as text. */
function sinceLastAnswer({ messages }) {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return JSON.stringify(messages.slice(last + 1));
}

const WAITS = 'until [ -e go ]; do sleep 0.05; done';
const PROMPT = 'fix the invoice';
const hook = (command, more = {}) => ({ type: 'command', command, ...more });
const stopHooks = (...hooks) => ({ hooks: { Stop: [{ hooks }] } });
const ENDED = [/^⏹ Done\./m, /^✻ .* for \d+s/m];

/**
 * One session per entry, for both programs. Each yields the name of a section and the lines that it shows; `pick` chooses between
 * ours and Claude Code's. What waits for `go` waits until the screen was taken.
 */
export const SCENARIOS = {
  stopHooks: {
    options: () => ({
      answer: inTurn({ text: 'The invoice adds up now.' }, { text: 'Now the tests pass too.' }),
      settings: stopHooks(hook(WAITS, { statusMessage: 'Checking the work' }), hook('sh tests.sh'), hook('sh lint.sh')),
      files: {
        // one after the other, so that they are listed in the same order every time
        'tests.sh': 'sleep 0.1; if [ -e once ]; then exit 0; fi; touch once; echo "1 test failed" >&2; exit 2\n',
        'lint.sh': 'sleep 0.5; echo "no such file: lint.json" >&2; exit 1\n',
      },
    }),
    async *play(stage, pick) {
      yield ['opened', await stage.screen()];
      await stage.submit(PROMPT);
      yield ['running', since(PROMPT, await stage.sees(pick('2 of 3 done', ' 2/3 ')))];
      stage.write('go', '');
      await stage.sees(pick(...ENDED));
      const ended = await stage.sees('ctrl+o to see');
      yield ['ended', since(PROMPT, ended)];
      yield ['notice', lastOf(5, ended)];
      const { content } = stage.requests().filter(isMain)[1].messages.at(-1);
      yield ['reason', content.flatMap(({ text }) => text.trimEnd().split('\n'))];
      await stage.press('C-o');
      const whole = await stage.sees(pick('All of the last turn', 'ctrl+o to toggle'));
      yield ['whole', pick(whole, since(PROMPT, whole))];
    },
  },

  turnEnd: {
    options: () => ({
      answer: inTurn({ text: 'The invoice adds up now.' }, bash('touch fixed'), { text: 'Now the test passes.' }),
      files: {
        'stopgate.config.json': JSON.stringify({ checks: [{ name: 'tests', command: 'sh tests.sh', when: 'always' }] }),
        'tests.sh': 'if [ ! -e fixed ]; then echo "1 test failed"; exit 1; fi\n',
      },
      args: ['--allowedTools=Bash'],
    }),
    async *play(stage, pick) {
      await stage.submit(PROMPT);
      yield ['turnEnd', since(PROMPT, await stage.sees(pick(...ENDED)))];
    },
  },

  escape: {
    options: () => ({
      answer: inTurn({ text: 'The invoice adds up now.' }),
      settings: stopHooks(hook(WAITS, { statusMessage: 'Checking the work' })),
    }),
    async *play(stage) {
      await stage.submit(PROMPT);
      await stage.sees('Checking the work');
      await stage.press('Escape');
      await stage.sees('Interrupted');
      yield ['escape', since(PROMPT, await stage.sheds('esc to interrupt'))];
      const sent = stage.requests().filter(isMain).length;
      if (sent !== 1) throw new Error(`${sent} requests were sent; esc must end the turn`);
    },
  },

  btw: {
    options: () => ({
      answer: (body) => {
        if (sinceLastAnswer(body).includes('which file')) return { text: 'total.js: its loop skips the first line.' };
        return isMain(body) ? bash(WAITS) : { text: 'ok' };
      },
      args: ['--allowedTools=Bash'],
    }),
    async *play(stage) {
      await stage.submit(PROMPT);
      await stage.sees(WAITS);
      await stage.submit('/btw which file has the bug?');
      yield ['btw', since(PROMPT, await stage.sees('skips the first line'))];
    },
  },

  modes: {
    options: () => ({ answer: inTurn({ text: 'Hello.' }) }),
    async *play(stage, pick) {
      const footers = [...lastOf(1, await stage.screen())];
      const modes = pick(
        ['acceptEdits mode', 'plan mode', 'default mode'],
        ['accept edits on', 'plan mode on', 'auto mode on'],
      );
      for (const mode of modes) {
        await stage.press('BTab');
        footers.push(...lastOf(1, await stage.sees(mode)));
      }
      yield ['modes', footers];
    },
  },

  typing: {
    options: () => ({
      answer: (body) => {
        if (!isMain(body)) return { text: 'ok' };
        const text = sinceLastAnswer(body);
        const read = ['the other file', 'the changelog'].filter((words) => text.includes(words));
        return read.length > 0 ? { text: `I have read: ${read.join(' and ')}.` } : bash(WAITS);
      },
      args: ['--allowedTools=Bash'],
    }),
    async *play(stage, pick) {
      await stage.submit(PROMPT);
      await stage.sees(WAITS);
      await stage.submit('use the other file');
      await stage.sees(pick('↳ next step', 'Press up to edit'));
      await stage.type('then write the changelog');
      await stage.sees('then write the changelog');
      await stage.press(pick('Tab', 'Enter'));
      yield ['typing', since(PROMPT, await stage.sees(pick('⧗ after this turn', /❯ then[\s\S]*Press up to edit/)))];
      stage.write('go', '');
      await stage.sees('the changelog.');
      yield ['typed', since(PROMPT, await stage.sheds('esc to interrupt'))];
    },
  },

  question: {
    options: () => ({ answer: inTurn(bash('touch made'), { text: 'Made.' }) }),
    async *play(stage, pick) {
      await stage.submit(PROMPT);
      yield ['question', since(PROMPT, await stage.sees(pick('yes, once', '1. Yes')))];
    },
  },
};
