import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

const json = ['--output-format', 'json'];

/** Files below a folder that hold a text. */
function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}

describe.concurrent('sessions', () => {
  it('--continue goes on with the latest, --resume with the named one', async () => {
    await using project = await testProject((_body, n) => ({ text: `answer ${n + 1}` }));
    const first = (await project.run(['-p', 'one', ...json])).lines[0];
    const again = (await project.run(['-p', 'two', '--continue', ...json])).lines[0];
    expect(again.session_id).toBe(first.session_id);
    const named = (await project.run(['-p', 'three', '--resume', first.session_id, ...json])).lines[0];
    expect(named.session_id).toBe(first.session_id);
    const told = JSON.stringify(project.server.seen[2]?.body.messages);
    for (const text of ['one', 'answer 1', 'two', 'answer 2', 'three']) expect(told).toContain(text);
    expect(project.transcripts()).toHaveLength(1);
  });

  it('--resume takes the beginning of an id, and list says how a session ended', async () => {
    await using project = await testProject(() => ({ tools: [{ name: 'Bash', input: { command: 'echo x' } }] }));
    const args = ['-p', 'one', '--max-turns', '1', '--allowedTools', 'Bash', ...json];
    const id = (await project.run(args)).lines[0].session_id;
    const [listed] = JSON.parse((await project.run(['list', '--json'])).stdout);
    expect(listed).toMatchObject({ id, state: 'blocked', detail: 'It stopped at its limit of 1 requests.' });
    const again = await project.run(['-p', 'two', '--resume', id.slice(0, 8), '--max-turns', '1', ...json]);
    expect(again.lines[0].session_id).toBe(id);
  });

  it('says what to do when there is nothing to go on with', async () => {
    await using project = await testProject();
    const wrong = await project.run(['-p', 'x', '--resume', '../../etc/passwd']);
    expect(wrong.stderr).toMatch(/is not a valid session id/);
    const unknown = await project.run(['-p', 'x', '--resume', '11111111-2222-4333-8444-555555555555']);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toMatch(/^stopgate: No session 11111111-.* shows the sessions\.\n$/);
    expect(project.server.seen).toHaveLength(0);
    const none = await project.run(['-p', 'x', '--continue']);
    expect(none.code).toBe(0);
    expect(none.stderr).toMatch(/No session to continue in .*; starting a new one\.\n/);
  });

  it('--no-session-persistence leaves no transcript, also of a session that is resumed', async () => {
    await using project = await testProject();
    await project.run(['-p', 'keep this nowhere', '--no-session-persistence']);
    expect(filesWith(project.home, 'keep this nowhere')).toEqual([]);
    const id = (await project.run(['-p', 'two', ...json])).lines[0].session_id;
    await project.run(['-p', 'three', '--resume', id, '--no-session-persistence']);
    await project.run(['-p', 'four', '--resume', id]);
    const told = JSON.stringify(project.server.seen.at(-1)?.body.messages);
    expect(told).toContain('two');
    expect(told).not.toContain('three');
  });

  it('a session killed in a tool call is resumed with that call answered', async () => {
    await using project = await testProject((_body, n) =>
      n === 0 ? { tools: [{ name: 'Bash', input: { command: 'echo started >&2; sleep 60' } }] } : { text: 'went on' },
    );
    const running = project.start(['-p', 'one', '--allowedTools', 'Bash', '--output-format', 'stream-json']);
    await running.sees('"tool_use"');
    running.child.kill('SIGKILL');
    await running.ended;
    const { lines, code } = await project.run(['-p', 'two', '--continue', ...json]);
    expect(code).toBe(0);
    expect(lines[0].result).toBe('went on');
    const told = JSON.stringify(project.server.seen.at(-1)?.body.messages);
    expect(told).toContain('The session ended while this call was running');
  });

  it('a torn last line is left out and said', async () => {
    await using project = await testProject(() => ({ text: 'fine' }));
    await project.run(['-p', 'one']);
    const [file] = project.transcripts() as [string];
    const { appendFileSync } = await import('node:fs');
    appendFileSync(file, '{"type":"user","uu');
    const { code, stderr } = await project.run(['-p', 'two', '--continue']);
    expect(code).toBe(0);
    expect(stderr).toContain('1 line of');
    expect(
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"two"')),
    ).toHaveLength(1);
  });
});
