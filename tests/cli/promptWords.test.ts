import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { testProject } from '../support/project.ts';
import { sampleOf } from '../support/testSize.ts';

const WORDS = [...buildProgram([], () => {}).commands.map((command) => command.name())];

/** One that only prints, one with commands of its own, one with words of its own, one that hosts call, and one that is found by its word. */
const IN_SAMPLE = new Set(['status', 'task', 'launch', 'hook', 'demo']);

describe.concurrent('with -p a word is a prompt, whatever command has its name', () => {
  it.each(sampleOf(WORDS, (word) => IN_SAMPLE.has(word)))('-p %s', async (word) => {
    await using project = await testProject(() => ({ text: 'answered' }));
    const { code, stdout, stderr } = await project.run(['-p', word]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'answered\n', stderr: '' });
    expect(JSON.stringify(project.server.seen[0]?.body.messages)).toContain(`"${word}"`);
  });

  const PLACES: readonly (readonly string[])[] = [
    ['status', '-p'],
    ['status', '--print'],
    ['-p', '--', 'status'],
    ['--print', '--output-format', 'text', 'status'],
    ['--model', 'claude-sonnet-4-5', 'status', '-p', '--max-turns', '3'],
    ['-cp', 'status'],
  ];
  it.each(
    sampleOf(PLACES, (args) => !args.includes('text') && args.join() !== 'status,-p').map((args) => [args] as const),
  )('%j', async (args) => {
    await using project = await testProject(() => ({ text: 'answered' }));
    if (args.includes('-cp')) await project.run(['-p', 'a session to continue']);
    const { code, stdout } = await project.run(args);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'answered\n' });
    expect(JSON.stringify(project.server.seen.at(-1)?.body.messages)).toContain('"status"');
  });

  it('a command with words of its own is still that command', async () => {
    await using project = await testProject();
    const launched = await project.run(['launch', '--time-budget', '1m', 'claude', '-p', 'x']);
    expect(launched.stderr).toMatch(/--print is not an option of stopgate launch; options of the agent go after --/);
    const status = await project.run(['status']);
    expect(status.code).toBe(0);
    expect(project.server.seen).toEqual([]);
  });
});
