import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CommandOptions, type TestProject, testProject } from '../support/project.ts';

type Answer = NonNullable<Parameters<typeof testProject>[0]>;

/** A repository with Stop hooks that record their input outside of it and block with a reason. */
async function hooked(answer: Answer, hooks: Readonly<Record<string, string>>) {
  const project = await testProject(answer);
  execFileSync('git', ['init', '-q'], { cwd: project.dir });
  const commands = Object.entries(hooks).map(([name, reason]) => {
    const script = project.write(
      `../${name}.sh`,
      `cat >> "${path.join(project.dir, `../${name}.jsonl`)}"\n${reason}\n`,
    );
    return { type: 'command', command: `sh ${script}` };
  });
  project.write('.claude/settings.json', JSON.stringify({ hooks: { Stop: [{ hooks: commands }] } }));
  const inputs = (name: string): readonly Record<string, unknown>[] => {
    const file = path.join(project.dir, `../${name}.jsonl`);
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  return Object.assign(project, { inputs });
}

const BLOCK = 'echo "never happy" >&2; exit 2';
const run = (project: TestProject, more: readonly string[] = [], options: CommandOptions = {}) =>
  project.run(['-p', 'go', '--permission-mode', 'acceptEdits', '--output-format', 'json', ...more], {
    ...options,
    env: { STOPGATE_TRUST_PROJECT: '1', ...options.env },
  });

/** Writes something else, then wants to stop, over and over. */
const polishing =
  (dir: () => string): Answer =>
  (_body, n) =>
    n % 2 === 0
      ? { tools: [{ name: 'Write', input: { file_path: path.join(dir(), 'note.md'), content: `version ${n}` } }] }
      : { text: `Done, version ${n}.` };

describe.concurrent('what a Stop hook knows of earlier attempts', { timeout: 90_000 }, () => {
  it('gets the attempt, its own reasons and whether the work changed', async () => {
    let dir = '';
    const work: Answer = (_body, n) => {
      // attempt 1; a text; attempt 2; a change; attempt 3
      if (n === 2) return { tools: [{ name: 'Write', input: { file_path: path.join(dir, 'a.txt'), content: 'x' } }] };
      return { text: `answer ${n}` };
    };
    const count = (name: string) =>
      `n=$(wc -l < "$(dirname "$0")/${name}.jsonl"); if [ "$n" -lt 3 ]; then echo "${name} $n" >&2; exit 2; fi`;
    await using project = await hooked(work, { one: count('one'), other: 'exit 0' });
    dir = project.dir;
    const { lines } = await run(project);
    expect(lines[0]).toMatchObject({ terminal_reason: 'completed' });
    const seen = project
      .inputs('one')
      .map(({ stop_attempt, changed_since_last_attempt, previous_reasons, stop_hook_active }) => [
        stop_attempt,
        stop_hook_active,
        changed_since_last_attempt,
        (previous_reasons as string[]).map((reason) => /one \d/.exec(reason)?.[0]),
      ]);
    expect(seen).toEqual([
      [1, false, null, []],
      [2, true, false, ['one 1']],
      [3, true, true, ['one 1', 'one 2']],
    ]);
    expect(project.inputs('other').map(({ previous_reasons }) => previous_reasons)).toEqual([[], [], []]);
  });

  it('counts on when reminders come between the attempts (cc#54360)', async () => {
    const tokens = { out: 400 };
    await using project = await hooked((_body, n) => ({ text: `answer ${n}`, usage: tokens }), { one: 'exit 0' });
    await run(project, ['--token-budget', '2000']);
    const attempts = project.inputs('one').map(({ stop_attempt }) => stop_attempt);
    expect(attempts.length).toBeGreaterThan(1);
    expect(attempts).toEqual(attempts.map((_one, at) => at + 1));
  });
});

describe.concurrent('a turn that its Stop hooks never let go', { timeout: 90_000 }, () => {
  it('ends when nothing changes, although tools are called in between (goose#10358)', async () => {
    const looking: Answer = (_body, n) =>
      n % 2 === 0 ? { tools: [{ name: 'Glob', input: { pattern: '*' } }] } : { text: 'Nothing to do.' };
    await using project = await hooked(looking, { one: BLOCK });
    const { lines, stderr } = await run(project, [], { env: { STOPGATE_STOP_HOOK_STALL_CAP: '3' } });
    expect(lines[0]).toMatchObject({ terminal_reason: 'stop_hook_capped', result: 'Nothing to do.' });
    expect(project.inputs('one')).toHaveLength(4);
    expect(stderr + JSON.stringify(lines)).not.toContain('undefined');
  });

  it('ends when the definition of done is met, and hooks still want more (reddb-io/red-skills#1130)', async () => {
    let dir = '';
    await using project = await hooked(
      polishing(() => dir),
      { one: BLOCK },
    );
    dir = project.dir;
    project.write('stopgate.config.json', JSON.stringify({ checks: [{ name: 'tests', command: 'true' }] }));
    const { lines } = await run(project, [], { env: { STOPGATE_STOP_HOOK_DONE_CAP: '2' } });
    expect(lines[0]).toMatchObject({ terminal_reason: 'stop_hook_capped', checks: { type: 'passed' } });
    expect(project.inputs('one')).toHaveLength(3);
    const text = await project.run(['-p', 'go', '--permission-mode', 'acceptEdits'], {
      env: { STOPGATE_TRUST_PROJECT: '1', STOPGATE_STOP_HOOK_DONE_CAP: '1' },
    });
    expect(text.stderr).toContain('it blocked 1 times in a row although the definition of done was met');
  });

  it('ends after so many blocks, whatever changes', async () => {
    let dir = '';
    await using project = await hooked(
      polishing(() => dir),
      { one: BLOCK },
    );
    dir = project.dir;
    const { lines } = await run(project, [], { env: { STOPGATE_STOP_HOOK_TURN_CAP: '6' } });
    expect(lines[0]).toMatchObject({ terminal_reason: 'stop_hook_capped' });
    expect(project.inputs('one')).toHaveLength(7);
    expect(project.inputs('one').at(-1)).toMatchObject({ stop_attempt: 7, changed_since_last_attempt: true });
    expect(project.inputs('one').at(-1)?.previous_reasons).toHaveLength(5);
  });
});

describe.concurrent('a report that passed is only words', { timeout: 90_000 }, () => {
  it('when the gate printed it: its own log is no evidence (ai-agents#1724)', async () => {
    await using project = await hooked(() => ({ text: 'pytest: 12 passed. See gate.log.' }), {});
    project.write(
      'stopgate.config.json',
      JSON.stringify({ checks: [{ name: 'tests', command: 'cat gate.log; exit 1' }] }),
    );
    project.write('gate.log', 'gate: ran pytest, 12 passed\n{"type":"passed","reason":"passed (tests)"}\n');
    const { lines } = await run(project, ['--require-proof']);
    expect(lines[0]).toMatchObject({ is_error: true, checks: { type: 'stalled', checks: [{ outcome: 'failed' }] } });
  });
});
