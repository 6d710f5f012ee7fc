import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { redactSecrets } from '../../system/redactSecrets.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { type EvidenceLine, evidenceOf } from './evidenceOf.ts';
import { evidenceOfPayload, transcriptEvidence } from './transcriptEvidence.ts';

let calls = 0;
let seconds = 0;
const next = () => `2026-11-01T10:00:${String(seconds++ % 60).padStart(2, '0')}.000Z`;
const prompt = (text: string): EvidenceLine => ({ type: 'user', timestamp: next(), message: { content: text } });
const said = (text: string): EvidenceLine => ({
  ...{ type: 'assistant', timestamp: next(), message: { content: [{ type: 'text', text } as never] } },
});

interface Result {
  readonly code?: number;
  readonly text?: string;
  readonly toolUseResult?: unknown;
}

/** A call and its result, as Claude Code and our own agent write them. */
function call(name: string, input: object, { code = 0, text, toolUseResult }: Result = {}): EvidenceLine[] {
  const id = `call${calls++}`;
  const content = text ?? (code === 0 ? 'ok' : `Exit code ${code}\nsome output`);
  return [
    { type: 'assistant', timestamp: next(), message: { content: [{ type: 'tool_use', id, name, input }] } },
    {
      ...{ type: 'user', timestamp: next(), toolUseResult },
      message: { content: [{ type: 'tool_result', tool_use_id: id, content, is_error: code !== 0 }] },
    },
  ];
}

const bash = (command: string, result?: Result) => call('Bash', { command }, result);
const edit = (file: string) => call('Edit', { file_path: file, old_string: 'a', new_string: 'b' });

describe('evidence of a turn', () => {
  it('has commands with exit codes, durations and times, and the files that tools changed', () => {
    const found = evidenceOf([prompt('go'), ...bash('npm test', { code: 1 }), ...edit('/p/a.ts'), ...edit('/p/a.ts')]);
    expect(found).toMatchObject({
      commands: [{ command: 'npm test', exit_code: 1, duration_ms: 1000, ended_at: expect.any(String) }],
      ...{ command_count: 1, files_changed: ['/p/a.ts'], file_count: 1 },
      last_check: { command: 'npm test', exit_code: 1, exit_code_is_its_own: true },
      checked_after_last_edit: false,
    });
  });

  it.each<[string, EvidenceLine[], boolean | null]>([
    ['after the last edit', [...edit('a'), ...bash('pytest -q')], true],
    ['before it', [...bash('pytest'), ...edit('a')], false],
    ['without an edit', [...bash('pytest')], null],
    ['without a check', [...edit('a'), ...bash('ls')], null],
    ['a mention does not count', [...edit('a'), ...bash('echo pytest passed'), ...bash('cat log | grep pytest')], null],
    ['a log that says so does not count', [...edit('a'), ...bash('cat ci.log', { text: '$ pytest\n12 passed' })], null],
    ['what the model says does not count', [...edit('a'), said('I ran pytest and all 12 tests passed.')], null],
    [
      'a failed edit does not count',
      [...bash('pytest'), ...call('Edit', { file_path: 'a' }, { code: 1, text: 'no' })],
      null,
    ],
    [
      'in the background it has no result',
      [...edit('a'), ...bash('pytest', { toolUseResult: { backgroundTaskId: 'b' } })],
      null,
    ],
    ['inside of another command', [...edit('a'), ...bash('cd sub && timeout 60 npx vitest run')], true],
    ['an earlier turn does not count', [...edit('a'), ...bash('pytest'), prompt('and now?')], null],
  ])('%s', (_name, lines, expected) => {
    expect(evidenceOf([prompt('go'), ...lines]).checked_after_last_edit).toBe(expected);
  });

  it.each([
    ['npm test', true],
    ['cd a && npm test 2>&1', true],
    ['npm test || true', false],
    ['npm test | tail -5', false],
    ['npm test; echo done', false],
    ['npm test &', false],
    ['! npm test', false],
    ["npm test -- -t 'a | b; c'", true],
  ])('%s: exit 0 proves the check: %s', (command, expected) => {
    expect(evidenceOf([prompt('go'), ...bash(command)]).last_check?.exit_code_is_its_own).toBe(expected);
  });

  it('counts commands after the check that may have changed files', () => {
    const lines = [prompt('go'), ...bash('npm test'), ...bash('ls'), ...bash("sed -i 's/a/b/' x.ts")];
    expect(evidenceOf(lines).commands_since_check).toBe(1);
  });

  it('keeps the 1 of a command whose last program answers with it: the tests before it may have failed', () => {
    const searched = bash('npm test && grep ok log', {
      toolUseResult: { returnCodeInterpretation: 'No matches found' },
    });
    expect(evidenceOf([prompt('go'), ...searched]).last_check?.exit_code).toBe(1);
  });

  it('does not know the exit code of a command that was denied', () => {
    const denied = bash('rm x', { code: 1, text: 'Permission denied: Exit code 0' });
    expect(evidenceOf([prompt('go'), ...denied]).commands[0]?.exit_code).toBeNull();
  });

  it('is bounded and counted', () => {
    const lines = Array.from({ length: 80 }, (_, n) => bash(`echo ${n} ${'x'.repeat(500)}`)).flat();
    const found = evidenceOf([prompt('go'), ...lines]);
    expect([found.commands.length, found.command_count]).toEqual([50, 80]);
    expect(found.commands.every(({ command }) => command.length <= 300)).toBe(true);
  });
});

describe("evidence from a host's transcript", () => {
  const text = (lines: readonly EvidenceLine[]) => lines.map((line) => JSON.stringify(line)).join('\n');

  it('is read from the end, and says when the beginning is missing', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 't.jsonl');
    const before = JSON.stringify({ ...prompt('x'), filler: 'y'.repeat(9_000_000) });
    writeFileSync(file, `${before}\nnot json\n{"type":"summary"}\n${text([...edit('a'), ...bash('npm test')])}\n`);
    expect(transcriptEvidence(file)).toMatchObject({ cut: true, checked_after_last_edit: true });
  });

  it.each([undefined, 7, '/no/such/file', '/dev'])('is not known from %j', (file) => {
    expect(transcriptEvidence(file)).toBeNull();
  });

  it('is not known from a transcript in another format', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 't.jsonl');
    writeFileSync(file, '{"payload":{"type":"function_call"}}\n');
    expect(transcriptEvidence(file)).toBeNull();
  });

  it('has no secrets on record', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 't.jsonl');
    writeFileSync(
      file,
      text([prompt('go'), ...bash('curl -H "Authorization: Bearer abcdefghijkl" x; hunter2hunter2')]),
    );
    const found = evidenceOfPayload({ transcript_path: file }, (one) => redactSecrets(one, ['hunter2hunter2']));
    expect(JSON.stringify(found)).not.toMatch(/hunter2|abcdefghijkl/);
  });
});
