import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

describe.concurrent('a stop does not wait for a pipe in the place of a record', () => {
  it.each([
    'gates/starts/s.json',
    'gates/stops/s.json',
    'gates/frozen/s.json',
    'gates/waivers/s.json',
    'ledger/s.jsonl',
    'keys/seal',
  ])('%s', async (name) => {
    await using project = await testProject();
    execFileSync('git', ['init', '-q'], { cwd: project.dir });
    project.write('stopgate.config.json', '{"checks":[{"name":"tests","command":"test -e fixed"}]}');
    const pipe = path.join(project.home, '.stopgate', name);
    const event = (kind: string, transcript: string) => ({
      input: JSON.stringify({
        ...{ session_id: 's', prompt_id: 'p', cwd: project.dir, hook_event_name: kind, source: 'startup' },
        transcript_path: transcript,
      }),
      env: { STOPGATE_TRUST_PROJECT: '1', CLAUDE_PROJECT_DIR: project.dir },
    });
    await project.run(['hook', 'session-start'], event('SessionStart', '/nowhere'));
    mkdirSync(path.dirname(pipe), { recursive: true });
    rmSync(pipe, { force: true });
    const transcript = path.join(project.home, 'transcript.jsonl');
    execFileSync('mkfifo', [pipe, transcript]);
    project.write('work', '');
    const { code, stdout } = await project.run(['hook', 'stop'], event('Stop', transcript));
    expect(code).toBe(0);
    expect(stdout).toContain('"decision":"block"');
  });
});
