import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isAlive, type TestProject, testProject } from '../support/project.ts';
import { KEYS, openScreen } from '../support/screen.ts';
import { sizeOf } from '../support/testSize.ts';

/** Runs the session, then shows how it left the terminal until the file `over` is there. */
const OUTER_SHELL = `sh -c 'echo $$ > pid; exec "$@"' sh "$@"
echo "SHELL IS BACK WITH $?"
while [ ! -e over ]; do stty -a > stty.new; mv stty.new stty.txt; sleep 0.1; done
echo READY
cat
`;

type Screen = ReturnType<typeof openScreen>;
type Options = Parameters<typeof openScreen>[1];

function open(project: TestProject, { shell = 'sh', ...options }: Options = {}): Screen {
  project.write('outer.sh', OUTER_SHELL);
  return openScreen(project, { ...options, shell: `exec ${shell} ./outer.sh CMD` });
}

const pidOf = (project: TestProject) => Number(project.read('pid'));

/** All processes that this one started, and those that they started. */
function descendants(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return children.map(Number).flatMap((child) => [child, ...descendants(child)]);
  } catch {
    return [];
  }
}

/** Ends the session with a signal, and checks that the terminal works and that nothing runs any more. */
async function killed(project: TestProject, session: Screen, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  const pid = pidOf(project);
  const children = descendants(pid);
  expect(children.length).toBeGreaterThan(0);
  process.kill(pid, signal);
  // a fast shell prints it before the other screen is left
  await expect.poll(() => session.raw()).toContain('SHELL IS BACK');
  await terminalWorks(project, session);
  await expect.poll(() => children.filter(isAlive), { timeout: 4_000 }).toEqual([]);
}

async function terminalWorks(project: TestProject, session: Screen): Promise<void> {
  for (const setting of ['icanon', 'echo', 'isig', 'iexten', 'icrnl']) {
    await expect.poll(() => project.read('stty.txt').split(/[\s;]+/)).toContain(setting);
  }
  project.write('over', '');
  await session.sees('READY');
  const { emulator } = session;
  await expect.poll(() => emulator.modes.bracketedPasteMode).toBe(false);
  expect(emulator.buffer.active.type).toBe('normal');
  expect(emulator.modes).toMatchObject({ mouseTrackingMode: 'none', synchronizedOutputMode: false });
  const raw = session.raw();
  expect(raw.lastIndexOf('\u001b[?25h')).toBeGreaterThanOrEqual(raw.lastIndexOf('\u001b[?25l'));
  // each request for key reports was taken back
  expect(raw.split('\u001b[<u').length).toBeGreaterThanOrEqual(raw.split('\u001b[>7u').length);
  expect(raw.lastIndexOf('\u001b[>4;0m')).toBeGreaterThanOrEqual(raw.lastIndexOf('\u001b[>4;2m'));
  // what is typed now is echoed, once, without a color, and reaches the program after enter
  session.type(`plain words${KEYS.enter}`);
  await expect.poll(() => session.screen().match(/plain words/g)?.length).toBe(2);
  const { active } = emulator.buffer;
  const row = Array.from({ length: active.length }, (_, at) => active.getLine(at)).find((line) =>
    line?.translateToString().startsWith('plain words'),
  );
  const cell = row?.getCell(0);
  expect([cell?.isFgDefault(), cell?.isBgDefault(), cell?.isBold(), cell?.isDim(), cell?.isInverse()]).toMatchObject([
    true,
    true,
    0,
    0,
    0,
  ]);
}

const bash = (command: string) => ({ tools: [{ name: 'Bash', input: { command } }] });
const WAITS = 'echo $$ > tool.pid; sleep 600';
const ALLOWED: Options = { args: ['--allowedTools', 'Bash', '--trust-project'] };
const hooks = (event: string, command: string) =>
  JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] } });

interface Moment {
  readonly replies?: readonly object[];
  readonly settings?: string;
  readonly options?: Options;
  reach(session: Screen, project: TestProject): Promise<void>;
  /** What the next session must show in its input. */
  readonly drafts: readonly string[];
  /** What it must show of the conversation, with --continue. */
  readonly said: readonly string[];
}

async function typed(session: Screen, text: string, shown = text): Promise<void> {
  session.type(text);
  await session.sees(shown);
}

const start = (session: Screen) => typed(session, `start it${KEYS.enter}`, '> start it');

const MOMENTS: Readonly<Record<string, Moment>> = {
  'while typing': {
    reach: (session) => typed(session, 'half a thought'),
    drafts: ['half a thought'],
    said: [],
  },
  'while the model streams': {
    replies: [{ text: 'the beginning of an answer', breakOff: 'hang' }],
    reach: async (session) => {
      await start(session);
      await session.sees('the beginning of an answer');
      await typed(session, 'half a thought');
    },
    drafts: ['half a thought'],
    said: ['> start it'],
  },
  'while a tool runs': {
    replies: [{ text: 'I will run it.', ...bash(WAITS) }],
    options: ALLOWED,
    reach: async (session, project) => {
      await start(session);
      await project.sees('tool.pid');
      await typed(session, 'half a thought');
    },
    drafts: ['half a thought'],
    said: ['> start it', 'I will run it.'],
  },
  'while a Stop hook runs': {
    replies: [{ text: 'I am done.' }],
    settings: hooks('Stop', WAITS),
    options: ALLOWED,
    reach: async (session, project) => {
      await start(session);
      await project.sees('tool.pid');
      await typed(session, 'half a thought');
    },
    drafts: ['half a thought'],
    said: ['> start it', 'I am done.'],
  },
  'while a hook looks at a prompt that is in no transcript yet': {
    settings: hooks('UserPromptSubmit', WAITS),
    options: ALLOWED,
    reach: async (session, project) => {
      session.type(`start it${KEYS.enter}`);
      await project.sees('tool.pid');
      await typed(session, 'half a thought');
    },
    drafts: ['start it', 'half a thought'],
    said: [],
  },
  'while a permission question is open': {
    replies: [bash('touch made')],
    reach: async (session) => {
      await start(session);
      await session.sees('yes, once');
    },
    drafts: [],
    said: ['> start it'],
  },
  'while the alternate screen shows the turn': {
    replies: [{ text: 'an answer' }],
    reach: async (session) => {
      await start(session);
      await session.sees('⏹');
      await typed(session, 'half a thought');
      session.type(KEYS.ctrlO);
      await session.sees('All of the last turn');
      expect(session.emulator.buffer.active.type).toBe('alternate');
    },
    drafts: ['half a thought'],
    said: ['> start it', 'an answer'],
  },
  'while a question beside the conversation waits': {
    replies: [{ text: 'an answer' }, { text: 'because', breakOff: 'hang' }],
    reach: async (session) => {
      await start(session);
      await session.sees('⏹');
      await typed(session, `/btw why?${KEYS.enter}`, 'Nothing of this is in the conversation.');
    },
    drafts: [],
    said: ['> start it', 'an answer'],
  },
  'while a queued prompt waits': {
    replies: [bash(WAITS)],
    options: ALLOWED,
    reach: async (session, project) => {
      await start(session);
      await project.sees('tool.pid');
      await typed(session, `later${KEYS.tab}`, '⧗ after this turn: later');
      await typed(session, `steer${KEYS.enter}`, '↳ next step: steer');
      await typed(session, 'half a thought');
    },
    drafts: ['later', 'steer', 'half a thought'],
    said: ['> start it'],
  },
};

async function projectFor({ replies = [], settings }: Moment): Promise<TestProject> {
  const project = await testProject((_, n) => replies[n] ?? { text: 'more' });
  if (settings !== undefined) project.write('.claude/settings.json', settings);
  return project;
}

/** A start takes about a fifth of a second. */
const STEP_MS = sizeOf({ small: 60, full: 20 });
const MOMENTS_OF_START = Array.from({ length: Math.floor(240 / STEP_MS) + 1 }, (_, step) => step * STEP_MS);

const INPUT = /─\n([\s\S]*?)\n─/;

describe('a session that dies', { timeout: 30_000 }, () => {
  it.each(Object.entries(MOMENTS))(
    '%s leaves a terminal that works, the draft and the conversation',
    async (_, moment) => {
      await using project = await projectFor(moment);
      {
        await using first = open(project, moment.options);
        await first.sees('/help');
        await moment.reach(first, project);
        await killed(project, first);
      }
      const args = moment.said.length > 0 ? ['--continue'] : [];
      await using second = openScreen(project, { args });
      for (const text of [...moment.said, ...moment.drafts]) await second.sees(text);
      await expect
        .poll(() =>
          INPUT.exec(second.screen())?.[1]
            ?.split('\n')
            .map((line) => line.trim()),
        )
        .toEqual(moment.drafts.length > 0 ? moment.drafts : ['']);
    },
  );

  it('while it is suspended leaves the terminal as the shell has it', async () => {
    await using project = await testProject(() => ({ text: 'x' }));
    project.write('outer.sh', `set -m\n${OUTER_SHELL}`);
    await using session = openScreen(project, { shell: 'exec bash ./outer.sh CMD' });
    await session.sees('/help');
    await typed(session, 'half a thought');
    session.type('\u001a');
    await session.sees('SHELL IS BACK');
    const pid = pidOf(project);
    const children = descendants(pid);
    const before = session.raw().length;
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => children.filter(isAlive), { timeout: 4_000 }).toEqual([]);
    expect(session.raw().slice(before)).not.toContain('\u001b[?25h');
    await terminalWorks(project, session);
    await using second = openScreen(project);
    await second.sees('half a thought');
  });

  it('with its whole job leaves a terminal that works', async () => {
    await using project = await testProject(() => ({ text: 'x' }));
    project.write('outer.sh', `set -m\n${OUTER_SHELL}`);
    await using session = openScreen(project, { shell: 'exec bash ./outer.sh CMD' });
    await session.sees('/help');
    await typed(session, 'half a thought');
    process.kill(-pidOf(project), 'SIGKILL');
    await session.sees('SHELL IS BACK');
    await expect.poll(() => session.raw().lastIndexOf('\u001b[?2004l')).toBeGreaterThan(0);
    await terminalWorks(project, session);
  });

  it.each(MOMENTS_OF_START)('%i ms after its start leaves a terminal that works', async (ms) => {
    await using project = await testProject(() => ({ text: 'x' }));
    await using session = open(project);
    await project.sees('pid');
    await expect.poll(() => project.read('pid')).not.toBe('');
    await new Promise((resolve) => setTimeout(resolve, ms));
    process.kill(pidOf(project), 'SIGKILL');
    await session.sees('SHELL IS BACK');
    await terminalWorks(project, session);
  });
});

describe('a session that is ended from outside', { timeout: 30_000 }, () => {
  const SESSION_END = JSON.stringify({
    hooks: {
      SessionEnd: [{ hooks: [{ type: 'command', command: 'echo it ended > ended.txt' }] }],
    },
  });

  /** A session with a running tool and a draft. */
  async function working(options: Options = {}) {
    const project = await testProject((_, n) => (n === 0 ? bash(WAITS) : { text: 'more' }));
    project.write('.claude/settings.json', SESSION_END);
    const session = open(project, { ...ALLOWED, ...options });
    await session.sees('/help');
    await start(session);
    await project.sees('tool.pid');
    await typed(session, 'half a thought');
    return {
      project,
      session,
      [Symbol.asyncDispose]: async () => {
        await session[Symbol.asyncDispose]();
        await project[Symbol.asyncDispose]();
      },
    };
  }

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('by %s ends in order, with exit code %i', async (signal, code) => {
    await using its = await working();
    await killed(its.project, its.session, signal);
    expect(its.session.all()).toContain(`SHELL IS BACK WITH ${code}`);
    expect(its.project.read('ended.txt')).toBe('it ended\n');
    await using next = openScreen(its.project, { args: ['--continue'] });
    await next.sees('> start it');
    await next.sees('half a thought');
  });

  it.each([
    ['', 'SIGHUP reaches it'],
    ["trap '' HUP; ", 'SIGHUP is ignored'],
  ])('by closing its terminal ends what it started (%s%s)', async (trap) => {
    const project = await testProject((_, n) => (n === 0 ? bash(WAITS) : { text: 'more' }));
    await using _project = project;
    const session = openScreen(project, { ...ALLOWED, shell: `echo $$ > pid; ${trap}exec CMD` });
    await session.sees('/help');
    await start(session);
    await project.sees('tool.pid');
    await typed(session, 'half a thought');
    const all = [pidOf(project), ...descendants(pidOf(project))];
    expect(all.length).toBeGreaterThan(2);
    await session.closeTerminal();
    await expect.poll(() => all.filter(isAlive), { timeout: 10_000 }).toEqual([]);
    await using next = openScreen(project, { args: ['--continue'] });
    await next.sees('> start it');
    await next.sees('half a thought');
  });

  it('by an exception that nothing caught reports it in one sentence on a terminal that works', async () => {
    const thrower = `const fs = require('node:fs');
      const look = setInterval(() => {
        if (!fs.existsSync('throw')) return;
        clearInterval(look);
        throw new Error('a bug in the screen');
      }, 20);
      look.unref();`;
    await using project = await testProject(() => ({ text: 'x' }));
    const file = project.write('thrower.cjs', thrower);
    await using session = open(project, { env: { NODE_OPTIONS: `--require=${file}` } });
    await session.sees('/help');
    await typed(session, 'half a thought');
    project.write('throw', '');
    await session.sees('SHELL IS BACK WITH 70');
    await terminalWorks(project, session);
    expect(session.all()).toContain('stopgate: internal error: a bug in the screen (run again with --debug');
    expect(session.all()).not.toContain('thrower.cjs:');
    await using next = openScreen(project);
    await next.sees('half a thought');
  });
});
