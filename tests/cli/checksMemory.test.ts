import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

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
  const check = { name: 'test', command, inputs: ['.env', 'deps'] };
  project.write('stopgate.config.json', JSON.stringify({ checks: [check] }));
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
  return { project, at, script, git, ask, runs, [Symbol.asyncDispose]: () => project[Symbol.asyncDispose]() };
}

type Checked = Awaited<ReturnType<typeof checkedProject>>;

interface Row {
  readonly what: string;
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
];

describe('a remembered pass', () => {
  it.concurrent.each(ROWS)('when $what: runs again is $runsAgain', async ({ act, env = {}, runsAgain }) => {
    await using checked = await checkedProject();
    expect(await checked.ask('stop')).toBe('');
    expect(checked.runs()).toBe(1);
    act?.(checked);
    expect(await checked.ask('stop', env)).toBe('');
    expect(checked.runs() > 1).toBe(runsAgain);
  });
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
      expect(await checked.ask('stop')).toContain('whether files changed cannot be known, so every check runs');
      expect(checked.runs()).toBe(runs);
    }
  });
});
