import { describe, expect, it } from 'vitest';
import { BIN, testProject } from '../support/project.ts';
import { sizeOf } from '../support/testSize.ts';

const OLD_NODE = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.11.0'})";

const CLAUDE_ONLY =
  '--allow-dangerously-skip-permissions --autocompact --betas --bg --debug-file --disable-slash-commands --effort --file --from-pr --ide --json-schema --permission-prompts --plugin-dir --prompt-suggestions --replay-user-messages --restricted --safe-mode --system-prompt-snapshot --teleport --worktree -n -w'.split(
    ' ',
  );

describe.concurrent('errors are sentences', () => {
  it.each<[string, string[], Record<string, string>, RegExp]>([
    ['no key', ['-p', 'x'], { ANTHROPIC_API_KEY: '' }, /needs an API key: set ANTHROPIC_API_KEY\./],
    [
      'unknown provider',
      ['-p', 'x', '--model', 'antropic/c'],
      {},
      /[Uu]nknown provider 'antropic', did you mean 'anthropic'/,
    ],
    ['unknown option', ['-p', 'x', '--max-turn', '3'], {}, /unknown option '--max-turn'/],
    ['bad number', ['-p', 'x', '--max-turns', '-1'], {}, /must be a whole number above 0, or 0 for no limit/],
    ['agents that are no JSON', ['-p', 'x', '--agents', '{bad'], {}, /--agents is not valid JSON: /],
    [
      'an agent without a prompt',
      ['-p', 'x', '--agents', '{"a":{"description":"d"}}'],
      {},
      /--agents: a\.prompt: .*expected string/,
    ],
    [
      'a field of an agent that would not be honored',
      ['-p', 'x', '--agents', '{"a":{"description":"d","prompt":"p","memory":"user"}}'],
      {},
      /--agents: a: unknown field memory\./,
    ],
    ['no agents file', ['-p', 'x', '--agents', 'none.json'], {}, /--agents: the file none\.json cannot be read/],
    [
      'bad sum',
      ['-p', 'x', '--max-budget-usd', 'much'],
      {},
      /^stopgate: --max-budget-usd must be an amount above 0, such as 2\.50, got "much"\.\n$/,
    ],
    [
      'bad tokens of a task',
      ['task', 'add', 'x', '--token-budget', 'lots'],
      {},
      /^stopgate: --token-budget must be a number of tokens above 0, such as 500k or 2m, got "lots"\.\n$/,
    ],
    [
      'negative sum of a task',
      ['task', 'add', 'x', '--max-budget-usd', '-1'],
      {},
      /^stopgate: --max-budget-usd must be an amount above 0, such as 2\.50, got "-1"\.\n$/,
    ],
    ['no prompt', ['-p'], {}, /No prompt/],
    ['no -p', ['hello'], {}, /Without a terminal, use stopgate -p "hello"\./],
    ['a command with a typing mistake', ['statsu'], {}, /Unknown command statsu; did you mean stopgate status\?/],
    ['no script', ['-p', 'x', '--model', 'scripted:none.json'], {}, /script none\.json cannot be read/],
    ['two sessions', ['-p', 'x', '--resume', 'a', '--continue'], {}, /both choose a session/],
    ['broken --settings', ['-p', 'x', '--settings', '{bad'], {}, /--settings:1:2 is not plain JSON/],
    [
      'missing --settings',
      ['-p', 'x', '--settings', '/nope.json'],
      {},
      /\/nope\.json was named by --settings but is missing/,
    ],
    ['an empty key', ['task', 'add', 'x', '--key', ''], {}, /^stopgate: --key must not be empty\.\n$/],
    ['an empty queue', ['worker', 'run', '--queue', ''], {}, /^stopgate: --queue must not be empty\.\n$/],
    ['a word with control characters', ['task', 'list', '\u001b[2J'], {}, /^stopgate: \P{Cc}*\n$/u],
    ['a command with control characters', ['task', '\u001b]0;x\u0007'], {}, /^stopgate: unknown command '\P{Cc}*'\n$/u],
    ['bad source', ['-p', 'x', '--setting-sources', 'usr'], {}, /'usr' is not one of user, project, local/],
    [
      'bad prices',
      ['-p', 'x'],
      { STOPGATE_PRICES: '/nowhere' },
      /price file \/nowhere \(STOPGATE_PRICES\) cannot be read/,
    ],
  ])('%s', async (_name, args, env, sentence) => {
    await using project = await testProject();
    const { code, stdout, stderr } = await project.run(args, { env });
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^stopgate: /);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(project.server.seen).toHaveLength(0);
  });

  // every flag of `claude --help` that Stopgate does not have, so that none of them is taken for something else
  const every = sizeOf({ small: 5, full: 1 });
  const refused = CLAUDE_ONLY.filter((_flag, at) => at % every === 0);
  it.each(refused)('%s of Claude Code is refused by name', async (flag) => {
    await using project = await testProject();
    const { code, stderr } = await project.run(['-p', 'x', flag]);
    expect([code, stderr.includes(`unknown option '${flag}'`)]).toEqual([2, true]);
    expect(project.server.seen).toHaveLength(0);
  });

  it('a full disk behind stdout is a sentence', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const { openSync, closeSync } = await import('node:fs');
    const { spawnSync } = await import('node:child_process');
    project.write('script.json', JSON.stringify({ replies: [{ text: 'ok' }] }));
    const full = openSync('/dev/full', 'w');
    const args = [BIN, '-p', 'x', '--model', 'scripted:script.json'];
    const end = spawnSync(process.execPath, args, {
      cwd: project.dir,
      env: { PATH: process.env.PATH, HOME: project.home },
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    expect(end.status).toBe(1);
    expect(String(end.stderr)).toMatch(/^stopgate: The output cannot be written: ENOSPC.*\n$/);
  });

  it.each(['-p x', 'task list', 'trust', 'worker list'])('a folder that is gone is a sentence: %s', async (words) => {
    await using project = await testProject();
    const { spawnSync } = await import('node:child_process');
    const command = `mkdir gone && cd gone && rmdir ../gone && "${process.execPath}" "${BIN}" ${words}`;
    const end = spawnSync('sh', ['-c', command], {
      cwd: project.dir,
      env: { PATH: process.env.PATH, HOME: project.home },
    });
    expect(end.status).toBe(2);
    expect(String(end.stderr)).toMatch(/^stopgate: The current folder no longer exists; change to one that does\.\n$/);
  });

  it('--debug shows the stack', async () => {
    await using project = await testProject();
    const { stderr } = await project.run(['--debug', '-p', 'x', '--resume', 'none']);
    expect(stderr).toMatch(/\n\s+at /);
  });

  it('an older Node is told what is needed', async () => {
    await using project = await testProject();
    const { code, stderr } = await project.run(['demo'], { nodeArgs: ['--import', OLD_NODE] });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^stopgate needs Node 24 or newer and this is .*\.\n$|^stopgate needs Node 24 or newer and this is .*\)\.\n$/,
    );
  });

  it.each([
    [400, 'unknown'],
    [401, 'authentication_failed'],
    [404, 'model_not_found'],
  ])('status %d is not tried again and ends the turn with its class %s', async (status, errorClass) => {
    await using project = await testProject(() => ({ error: { status, message: 'scripted trouble' } }));
    const { code, lines, stderr } = await project.run(['-p', 'x', '--output-format', 'stream-json']);
    expect(code).toBe(1);
    expect(project.server.seen).toHaveLength(1);
    expect(lines.find(({ type }) => type === 'assistant').error).toBe(errorClass);
    expect(lines.at(-1)).toMatchObject({ is_error: true, terminal_reason: 'api_error', api_error_status: status });
    expect(stderr).toBe('');
  });
});
