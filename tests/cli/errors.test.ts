import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

const OLD_NODE = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.11.0'})";

describe.concurrent('errors are sentences', () => {
  it.each<[string, string[], Record<string, string>, RegExp]>([
    ['no key', ['-p', 'x'], { ANTHROPIC_API_KEY: '' }, /needs an API key: set ANTHROPIC_API_KEY\./],
    ['unknown provider', ['-p', 'x', '--model', 'antropic/c'], {}, /no provider 'antropic', did you mean 'anthropic'/],
    ['unknown option', ['-p', 'x', '--max-turn', '3'], {}, /unknown option '--max-turn'/],
    ['bad number', ['-p', 'x', '--max-turns', '-1'], {}, /must be a whole number above 0/],
    ['bad sum', ['-p', 'x', '--max-budget-usd', 'much'], {}, /must be a sum above 0/],
    ['no prompt', ['-p'], {}, /There is no prompt/],
    ['no -p', ['hello'], {}, /Stopgate works headless: write stopgate -p "hello"\./],
    ['no script', ['-p', 'x', '--model', 'scripted:none.json'], {}, /script none\.json cannot be read/],
    ['two sessions', ['-p', 'x', '--resume', 'a', '--continue'], {}, /both choose a session/],
    ['bad source', ['-p', 'x', '--setting-sources', 'usr'], {}, /'usr' is none of user, project, local/],
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

  it('--debug shows the stack', async () => {
    await using project = await testProject();
    const { stderr } = await project.run(['--debug', '-p', 'x', '--continue']);
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
