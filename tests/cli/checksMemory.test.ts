import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';
import { IS_LONG, sampleOf } from '../support/testSize.ts';

const IDENTITY = ['-c', 'user.name=a', '-c', 'user.email=a@b'];

/** A committed repository whose check passes; each run leaves a mark outside it. */
async function checkedProject() {
  const project = await testProject();
  const { home, dir } = project;
  const at = (name: string) => path.join(home, name);
  const script = (name: string, text: string) => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), `#!/bin/sh\n${text}\n`);
    chmodSync(at(name), 0o755);
  };
  script('tools/check.sh', 'printf x >> "$HOME/runs"');
  script('bin/by-path', 'true');
  const command = '"$HOME/tools/check.sh" && by-path && test -e file.txt';
  const configure = (more: object) => {
    const check = { name: 'test', command, inputs: ['.env', 'deps'], ...more };
    project.write('stopgate.config.json', JSON.stringify({ checks: [check] }));
  };
  configure({});
  project.write('.gitignore', '.env\n.other\ndeps/\n');
  project.write('file.txt', 'one\n');
  project.write('.env', 'A=1\n');
  project.write('deps/lib.js', '1');
  const git = (...args: readonly string[]) => execFileSync('git', [...IDENTITY, ...args], { cwd: dir });
  git('init', '--quiet');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'first');
  const ask = async (event: string, env: Readonly<Record<string, string>> = {}, session = 's') => {
    const input = JSON.stringify({ session_id: session, cwd: dir, hook_event_name: 'Stop' });
    const PATH = `${at('bin')}:${process.env.PATH}`;
    const { stdout, stderr } = await project.run(['hook', event], {
      input,
      env: { PATH, STOPGATE_TRUST_PROJECT: '1', SETTING: 'one', ...env },
    });
    return stdout + stderr;
  };
  const runs = () => {
    try {
      return readFileSync(at('runs'), 'utf8').length;
    } catch {
      return 0;
    }
  };
  return {
    project,
    at,
    script,
    configure,
    git,
    ask,
    runs,
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}

type Checked = Awaited<ReturnType<typeof checkedProject>>;

interface Row {
  readonly what: string;
  /** Before the first stop. */
  readonly before?: (checked: Checked) => void;
  readonly act?: (checked: Checked) => void;
  readonly env?: Readonly<Record<string, string>>;
  readonly runsAgain: boolean;
}

const write = ({ project }: Checked, file: string, text: string) => project.write(file, text);

const ROWS: readonly Row[] = [
  { what: 'nothing changed', runsAgain: false },
  {
    what: 'a script outside the repository changed',
    act: ({ script }) => script('tools/check.sh', 'printf xx >> "$HOME/runs"'),
    runsAgain: true,
  },
  { what: 'a program on PATH changed', act: ({ script }) => script('bin/by-path', 'exit 0'), runsAgain: true },
  { what: 'a variable changed', env: { SETTING: 'two' }, runsAgain: true },
  { what: 'a variable appeared', env: { NODE_OPTIONS: '--no-warnings' }, runsAgain: true },
  {
    what: 'only variables of the session changed',
    env: {
      PWD: '/x',
      SHLVL: '4',
      _: 'x',
      CLAUDE_CODE_SESSION_ID: 'y',
      STOPGATE_BUDGET_END: '4102444800',
      TERM: 'vt100',
    },
    runsAgain: false,
  },
  { what: 'an ignored input changed', act: (checked) => write(checked, '.env', 'A=2\n'), runsAgain: true },
  {
    what: 'a file in a folder of inputs changed',
    act: (checked) => write(checked, 'deps/lib.js', '2'),
    runsAgain: true,
  },
  {
    what: 'an ignored file changed that is no input',
    act: (checked) => write(checked, '.other', 'x'),
    runsAgain: false,
  },
  {
    what: 'a file changed behind skip-worktree',
    act: (checked) => {
      checked.git('update-index', '--skip-worktree', 'file.txt');
      write(checked, 'file.txt', 'two\n');
    },
    runsAgain: true,
  },
  {
    what: 'a new file is hidden in .git/info/exclude',
    act: (checked) => {
      appendFileSync(path.join(checked.project.dir, '.git/info/exclude'), 'evil.js\n');
      write(checked, 'evil.js', 'x');
    },
    runsAgain: true,
  },
  {
    what: 'a new .gitignore that hides nothing, and nothing after it',
    before: (checked) => write(checked, 'folder/.gitignore', 'nothing-here\n'),
    runsAgain: false,
  },
  {
    what: 'a file outside that a tracked link leads to',
    before: (checked) => {
      checked.script('data', 'one');
      symlinkSync(checked.at('data'), path.join(checked.project.dir, 'link'));
      checked.git('add', '-A');
      checked.git('commit', '--quiet', '-m', 'link');
    },
    act: ({ script }) => script('data', 'two'),
    runsAgain: true,
  },
  {
    what: 'data in a folder outside that the check runs in',
    before: (checked) => {
      checked.script('out/data', 'one');
      checked.configure({ cwd: checked.at('out'), command: '"$HOME/tools/check.sh"' });
    },
    act: ({ script }) => script('out/data', 'two'),
    runsAgain: true,
  },
  {
    what: 'a makefile that is glued to its option',
    before: (checked) => {
      checked.script('mk', 'one');
      checked.configure({ command: `"$HOME/tools/check.sh" -f${checked.at('mk')}` });
    },
    act: ({ script }) => script('mk', 'two'),
    runsAgain: true,
  },
  {
    what: 'a script that a pattern matches',
    before: (checked) => {
      checked.script('x.sh', 'one');
      checked.configure({ command: `"$HOME/tools/check.sh"; ls ${checked.at('x.*')}` });
    },
    act: ({ script }) => script('x.sh', 'two'),
    runsAgain: true,
  },
  { what: 'the branch changed', act: ({ git }) => git('checkout', '--quiet', '-b', 'other'), runsAgain: true },
  {
    what: 'a change was staged',
    before: (checked) => write(checked, 'file.txt', 'two\n'),
    act: ({ git }) => git('add', '-A'),
    runsAgain: true,
  },
  {
    what: 'an empty folder appeared',
    act: ({ project }) => mkdirSync(path.join(project.dir, 'empty')),
    runsAgain: true,
  },
  {
    what: 'permissions changed that git does not record',
    act: ({ project }) => chmodSync(path.join(project.dir, 'file.txt'), 0o600),
    runsAgain: true,
  },
  {
    what: 'source changed that a commit of the agent hides',
    before: (checked) => {
      checked.git('rm', '--quiet', '--cached', 'file.txt');
      write(checked, '.gitignore', '.env\n.other\ndeps/\nfile.txt\n');
      checked.git('commit', '--quiet', '-a', '-m', 'hide');
    },
    act: (checked) => write(checked, 'file.txt', 'broken\n'),
    runsAgain: true,
  },
];

/** Another file or variable of a kind that has one more row. */
const VARIANTS: readonly string[] = [
  'a variable appeared',
  'a file in a folder of inputs changed',
  'a new .gitignore that hides nothing, and nothing after it',
  'a makefile that is glued to its option',
  'a script that a pattern matches',
  'the branch changed',
  'source changed that a commit of the agent hides',
];

const IN_SAMPLE = sampleOf(ROWS, ({ what }) => !VARIANTS.includes(what));
/** One after the other in one project: each changes something else, and what changed before is part of the next pass. */
const IN_ONE_PROJECT = IS_LONG ? [] : IN_SAMPLE.filter(({ before }) => before === undefined);

describe.concurrent('a remembered pass', () => {
  it.runIf(IN_ONE_PROJECT.length > 0)('runs again only when something changed that it depends on', async () => {
    await using checked = await checkedProject();
    await checked.ask('session-start', {}, 'another');
    expect(await checked.ask('stop')).toBe('');
    let env = {};
    for (const row of IN_ONE_PROJECT) {
      const { what, runsAgain } = row;
      const before = checked.runs();
      row.act?.(checked);
      env = { ...env, ...row.env };
      expect(await checked.ask('stop', env)).toBe('');
      expect({ what, runsAgain: checked.runs() > before }).toEqual({ what, runsAgain });
    }
  });

  it.each(IN_SAMPLE.filter((row) => !IN_ONE_PROJECT.includes(row)))(
    'when $what: runs again is $runsAgain',
    async ({ before, act, env = {}, runsAgain }) => {
      await using checked = await checkedProject();
      // another session's, so that this one has no beginning to be compared with
      await checked.ask('session-start', {}, 'another');
      before?.(checked);
      expect(await checked.ask('stop')).toBe('');
      expect(checked.runs()).toBe(1);
      act?.(checked);
      expect(await checked.ask('stop', env)).toBe('');
      expect(checked.runs() > 1).toBe(runsAgain);
    },
  );
});

describe('a session that changed nothing in the repository', () => {
  it('is held to the checks when it changed a script that they run', async () => {
    await using checked = await checkedProject();
    await checked.ask('session-start');
    await checked.ask('stop');
    expect(checked.runs()).toBe(0);
    checked.script('tools/check.sh', 'echo broken by the agent; exit 1');
    expect(await checked.ask('stop')).toContain('broken by the agent');
  });
});

describe('a folder whose files cannot be told', () => {
  it('runs its checks at every stop and says why', async () => {
    await using checked = await checkedProject();
    mkdirSync(checked.at('.stopgate'));
    writeFileSync(checked.at('.stopgate/mirrors'), 'a file where the folder should be');
    for (const runs of [1, 2]) {
      expect(await checked.ask('stop')).toContain('the files could not be read exactly, so passes are not remembered');
      expect(checked.runs()).toBe(runs);
    }
  });
});
