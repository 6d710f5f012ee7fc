import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectSessionsDir } from '../../src/session/transcript/sessionFiles.ts';
import type { SeenRequest, ServerReply } from '../../src/testing/modelServer.ts';
import { type TestProject, testProject } from '../support/project.ts';

const ON = { STOPGATE_ENABLE_MEMORY: '1', STOPGATE_MAX_RETRIES: '0' };

const lastText = (body: SeenRequest['body']): string => JSON.stringify(body.messages.at(-1));
const allText = (body: SeenRequest['body']): string => JSON.stringify(body.messages);
const isExtraction = (body: SeenRequest['body']) => lastText(body).includes('useful in another session');
const isDream = (body: SeenRequest['body']) => JSON.stringify(body.system).includes('You tidy the memory');
const isSideQuestion = (body: SeenRequest['body']) => lastText(body).includes('side question');

const FACT = {
  name: 'check-command',
  description: 'How changes are checked',
  type: 'feedback',
  content: 'Run `make check` before a commit; `npm test` skips the types.',
  evidence: 'always run make check before you commit',
};
const EXTRACTED = { text: JSON.stringify({ memories: [FACT] }) };
const PROMPT = 'Please always run make check before you commit. Now say hello.';

const sessionsDir = (project: TestProject) => projectSessionsDir(path.join(project.home, '.stopgate'), project.dir);
const memoryDir = (project: TestProject) => path.join(sessionsDir(project), 'memory');
const withMemory = (helper: ServerReply) => testProject((body) => (isExtraction(body) ? helper : { text: 'Hello.' }));

describe.concurrent('memory', () => {
  it('is written after one session and told to the next, marked as recalled', async () => {
    await using project = await withMemory(EXTRACTED);
    const first = await project.run(['-p', PROMPT], { env: ON });
    expect(first).toMatchObject({ code: 0, stdout: 'Hello.\n', stderr: '' });
    const file = readFileSync(path.join(memoryDir(project), 'check-command.md'), 'utf8');
    expect(file).toMatch(/^---\nname: check-command\n[\s\S]*\nevidence: user\n/);
    expect(readFileSync(path.join(memoryDir(project), 'MEMORY.md'), 'utf8')).toContain('check-command.md');
    const before = project.server.seen.length;
    expect(before).toBe(2);
    await project.run(['-p', 'hi']);
    const told = JSON.stringify(project.server.seen[before]?.body.messages);
    expect(told).toContain('# Memory');
    expect(told).toContain('They were recalled, not said now');
    expect(told).toContain('npm test` skips the types');
  });

  it('is neither learned nor told when it is off, whatever an earlier session kept', async () => {
    await using project = await withMemory(EXTRACTED);
    await project.run(['-p', PROMPT], { env: ON });
    const before = project.server.seen.length;
    mkdirSync(path.join(project.home, '.claude'));
    writeFileSync(path.join(project.home, '.claude/settings.json'), '{"memory": false}');
    await project.run(['-p', `${PROMPT} Again, and never forget it.`], { env: ON });
    expect(project.server.seen).toHaveLength(before + 1);
    expect(JSON.stringify(project.server.seen.at(-1)?.body)).not.toContain('skips the types');
  });

  it.each<[string, string[], Record<string, string>]>([
    ['headless, not asked for', [], {}],
    ['--bare', ['--bare'], ON],
    ['turned off', ['--settings', '{"memory": true}'], { STOPGATE_DISABLE_MEMORY: '1' }],
  ])('costs no request: %s', async (_name, args, env) => {
    await using project = await withMemory(EXTRACTED);
    const { code } = await project.run(['-p', PROMPT, ...args], { env });
    expect(code).toBe(0);
    expect(project.server.seen).toHaveLength(1);
    expect(existsSync(memoryDir(project))).toBe(false);
  });

  it('can be asked for in settings', async () => {
    await using project = await withMemory(EXTRACTED);
    await project.run(['-p', PROMPT, '--settings', '{"memory": true}']);
    expect(readdirSync(memoryDir(project)).sort()).toEqual(['MEMORY.md', 'check-command.md']);
  });

  it('a rate limit in a helper changes neither result nor exit code', async () => {
    await using project = await withMemory({ error: { status: 429, type: 'rate_limit_error', message: 'slow down' } });
    const { code, lines, stderr } = await project.run(['-p', PROMPT, '--output-format', 'json'], { env: ON });
    expect(code).toBe(0);
    expect(lines).toMatchObject([{ is_error: false, result: 'Hello.', terminal_reason: 'completed' }]);
    expect(stderr).toMatch(
      /^stopgate: After the turn, memory extraction failed \(.*\)\. The answer is not affected;.*\n$/,
    );
    const status = await project.run(['status', '--json']);
    const task = JSON.parse(status.stdout).tasks.find(({ task }: { task: string }) => task === 'memory_extraction');
    expect(task).toMatchObject({ failed: 1, tokens: 0, last: { outcome: 'failed' } });
  });

  it('is drained before the exit, and the answer is out before that', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await using project = await testProject(async (body) => {
      if (!isExtraction(body)) return { text: 'Hello.' };
      await released;
      return EXTRACTED;
    });
    const running = project.start(['-p', PROMPT], { env: ON });
    await running.sees('Hello.');
    release();
    expect(await running.ended).toMatchObject({ code: 0, stdout: 'Hello.\n' });
    expect(existsSync(path.join(memoryDir(project), 'check-command.md'))).toBe(true);
  });

  it('does not hold an exit for longer than the bound', async () => {
    await using project = await withMemory({ text: 'x', breakOff: 'hang' });
    const env = { ...ON, STOPGATE_BACKGROUND_DRAIN_MS: '50' };
    const { code, stdout, stderr } = await project.run(['-p', PROMPT], { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello.\n' });
    expect(stderr).toContain('memory extraction was ended (the process was about to exit)');
  });

  it('fires no hook, and leaves nothing in the conversation', async () => {
    await using project = await withMemory(EXTRACTED);
    mkdirSync(path.join(project.home, '.claude'));
    const log = path.join(project.home, 'hooks.log');
    const hook = [{ hooks: [{ type: 'command', command: `cat >> ${log}; echo >> ${log}` }] }];
    const hooks = { Stop: hook, UserPromptSubmit: hook, SubagentStop: hook, StopFailure: hook };
    writeFileSync(path.join(project.home, '.claude/settings.json'), JSON.stringify({ hooks }));
    await project.run(['-p', PROMPT], { env: ON });
    expect(project.server.seen).toHaveLength(2);
    const fired = readFileSync(log, 'utf8').match(/"hook_event_name":"\w+"/g);
    expect(fired).toEqual(['"hook_event_name":"UserPromptSubmit"', '"hook_event_name":"Stop"']);
    const [transcript] = project.transcripts();
    expect(readFileSync(transcript ?? '', 'utf8')).not.toContain('useful in another session');
  });
});

describe.concurrent('a dream', () => {
  it('is dreamt by one of two processes that come to it at once', async () => {
    const oneLeft = Promise.withResolvers<void>();
    let dreams = 0;
    await using project = await testProject(async (body) => {
      if (!isDream(body)) return { text: 'Hello.' };
      dreams += 1;
      // the first one dreams until the other process is gone; were there two, neither would wait
      if (dreams < 2) await oneLeft.promise;
      else oneLeft.resolve();
      return { text: '{"write":[],"drop":[]}' };
    });
    const dir = memoryDir(project);
    mkdirSync(dir, { recursive: true });
    for (const name of ['one', 'two', 'three']) {
      const front = `name: ${name}\ndescription: d\ntype: project\ncreated: 2026-01-01\nsession: s`;
      writeFileSync(path.join(dir, `${name}.md`), `---\n${front}\n---\nThe fact ${name}.\n`);
      writeFileSync(path.join(sessionsDir(project), `old-${name}.jsonl`), '');
    }
    for (const name of ['four', 'five']) writeFileSync(path.join(sessionsDir(project), `old-${name}.jsonl`), '');
    const running = [1, 2].map(() => project.start(['-p', 'hi'], { env: ON }).ended);
    await Promise.race(running);
    oneLeft.resolve();
    expect(await Promise.all(running)).toMatchObject([{ code: 0 }, { code: 0 }]);
    expect(dreams).toBe(1);
    const status = JSON.parse((await project.run(['status', '--json'])).stdout);
    const decided = status.runs.filter(({ task }: { task: string }) => task === 'auto_dream');
    expect(decided.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual(['ran', 'skipped']);
    expect(status.memory.lastDreamAt).not.toBeNull();
    expect(readdirSync(sessionsDir(project)).filter((name) => name.includes('lock'))).toEqual([]);
  });
});

describe.concurrent('stopgate ask', () => {
  const session = ['--session-id', 'abc-123'];

  it('answers from the snapshot; the conversation, its hooks and its files are untouched', async () => {
    await using project = await testProject((body) => ({ text: isSideQuestion(body) ? 'One file.' : 'Changed a.ts.' }));
    mkdirSync(path.join(project.home, '.claude'));
    const log = path.join(project.home, 'hooks.log');
    const hook = [{ hooks: [{ type: 'command', command: `echo fired >> ${log}` }] }];
    const hooks = { Stop: hook, SessionStart: hook, SessionEnd: hook, UserPromptSubmit: hook };
    writeFileSync(path.join(project.home, '.claude/settings.json'), JSON.stringify({ hooks }));
    await project.run(['-p', 'change it', ...session]);
    const files = () => [log, ...project.transcripts(), path.join(sessionsDir(project), 'abc-123/snapshot.json')];
    const before = files().map((file) => readFileSync(file, 'utf8'));
    const { code, stdout, stderr } = await project.run(['ask', '--session', 'abc', 'how many files?']);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'One file.\n', stderr: '' });
    expect(files().map((file) => readFileSync(file, 'utf8'))).toEqual(before);
    const [main, asked] = project.server.seen;
    expect(asked?.body.tools).toEqual(main?.body.tools);
    expect(asked?.body.system).toEqual(main?.body.system);
    expect(asked?.body.tool_choice).toEqual(main?.body.tool_choice);
    expect(JSON.stringify(asked?.body.messages)).toContain('Changed a.ts.');
    expect(lastText(asked?.body)).toContain('how many files?');
  });

  it('--json has the answer with what it cost; without --session the latest is asked', async () => {
    await using project = await testProject((body) => ({ text: isSideQuestion(body) ? 'Two.' : 'ok' }));
    await project.run(['-p', 'hi', ...session]);
    const { lines } = await project.run(['ask', 'how many?', '--json']);
    expect(lines).toMatchObject([{ session_id: 'abc-123', question: 'how many?', answer: 'Two.', tokens: 120 }]);
    expect(lines[0].cost_usd).toBeGreaterThan(0);
  });

  it('works on a session that was bare', async () => {
    await using project = await testProject();
    await project.run(['-p', 'hi', '--bare', ...session]);
    expect(await project.run(['ask', 'how?'])).toMatchObject({ code: 0, stdout: 'ok\n' });
  });

  it('a model that cannot be reached is a sentence and exit code 1', async () => {
    await using project = await testProject((body) =>
      isSideQuestion(body) ? { error: { status: 400, type: 'invalid_request_error', message: 'no' } } : { text: 'ok' },
    );
    await project.run(['-p', 'hi', ...session]);
    const { code, stderr } = await project.run(['ask', 'how?']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^stopgate: The question could not be answered: .*\.\n$/);
  });

  it.each<[string, string[], RegExp]>([
    ['no session here', ['ask', 'how?'], /No session in .*; start one/],
    ['no such session', ['ask', '--session', 'zzz', 'how?'], /No session zzz; `stopgate list`/],
    ['an impossible id', ['ask', '--session', '../x', 'how?'], /is not a valid session id/],
    ['no question', ['ask'], /stopgate ask needs <question>; `stopgate ask --help` has examples/],
    ['an empty question', ['ask', ' '], /The question is empty/],
  ])('says what is wrong: %s', async (_name, args, sentence) => {
    await using project = await testProject();
    const { code, stderr } = await project.run(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^stopgate: /);
  });

  it('says that there is no snapshot yet, or that it is broken', async () => {
    await using project = await testProject();
    await project.run(['-p', 'hi', ...session]);
    const file = path.join(sessionsDir(project), 'abc-123/snapshot.json');
    writeFileSync(file, '{');
    expect((await project.run(['ask', 'how?'])).stderr).toMatch(/The snapshot .* cannot be used/);
    writeFileSync(path.join(sessionsDir(project), 'young.jsonl'), '');
    const { code, stderr } = await project.run(['ask', '--session', 'young', 'how?']);
    expect(code).toBe(2);
    expect(stderr).toBe('stopgate: Session young has no snapshot yet; one is saved each time its agent stops.\n');
  });
});

describe.concurrent('stopgate status', () => {
  it('shows what ran, why or why not, tokens and cost, plain in a pipe', async () => {
    await using project = await withMemory(EXTRACTED);
    await project.run(['-p', PROMPT], { env: ON });
    const { code, stdout, stderr } = await project.run(['status'], { env: ON });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain('\x1b[');
    expect(stdout).toMatch(/^memory extraction +on +1 +0 +0 +120 +\$0\.\d+ +turned on by STOPGATE_ENABLE_MEMORY$/m);
    expect(stdout).toMatch(/^prompt suggestion +off +0 +1 +0 +0 +\$0 +off in headless/m);
    expect(stdout).toContain('kept check-command');
    expect(stdout).toMatch(/^Total: 120 tokens in 1 request, \$0\.\d+\.$/m);
    expect(stdout).toMatch(/^1 fact, 0\.\d kB in ~\/\.stopgate\/projects\/.*memory$/m);
    expect(stdout).toContain('Consolidated: never');
  });

  it('has a page before anything ran', async () => {
    await using project = await testProject();
    const { code, stdout } = await project.run(['status']);
    expect(code).toBe(0);
    expect(stdout).toContain('No background tasks in this folder yet.');
  });
});

describe.concurrent('stopgate list', () => {
  it('shows sessions and jobs with their state', async () => {
    await using project = await testProject((body) => ({
      text: allText(body).includes('ask me') ? 'There are two ways. Which one shall I take?' : 'Fixed: it works now.',
    }));
    const jobs = path.join(project.home, 'jobs');
    await project.run(['-p', 'ask me', '--session-id', 'one'], { env: { STOPGATE_JOB_DIR: path.join(jobs, 'a') } });
    await project.run(['-p', 'fix the total', '--session-id', 'two']);
    expect(JSON.parse(readFileSync(path.join(jobs, 'a/state.json'), 'utf8'))).toMatchObject({
      state: 'needs_input',
      detail: 'Which one shall I take?',
      lastPrompt: 'ask me',
    });
    const env = { STOPGATE_JOB_DIR: jobs };
    const listed = JSON.parse((await project.run(['list', '--json'], { env })).stdout);
    expect(listed).toMatchObject([
      {
        id: 'two',
        state: 'done',
        detail: 'Fixed: it works now.',
        decidedBy: 'transcript',
        lastPrompt: 'fix the total',
      },
      { id: 'one', state: 'needs_input', decidedBy: 'rules', jobDir: path.join(jobs, 'a') },
    ]);
    const { stdout } = await project.run(['list'], { env });
    expect(stdout).toMatch(/^SESSION +WHEN +STATE +LAST PROMPT +DETAILS$/m);
    expect(stdout).toMatch(/^one +.* +needs_input +ask me +Which one shall I take\?$/m);
    expect((await project.run(['list', '-n', '1'], { env })).stdout).not.toContain('needs_input');
  });

  it('says so when there is none', async () => {
    await using project = await testProject();
    const { code, stdout } = await project.run(['list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^No sessions in .* yet; stopgate -p "…" starts one\.\n$/);
  });

  it('a job that was interrupted, or whose model failed, has failed', async () => {
    await using project = await testProject((body) =>
      allText(body).includes('hang') ? { text: 'x', breakOff: 'hang' } : { error: { status: 400, message: 'no' } },
    );
    const state = (name: string) => JSON.parse(readFileSync(path.join(project.home, name, 'state.json'), 'utf8')).state;
    const env = (name: string) => ({ STOPGATE_JOB_DIR: path.join(project.home, name) });
    await project.run(['-p', 'fail'], { env: env('a') });
    expect(state('a')).toBe('failed');
    const running = project.start(['-p', 'hang', '--output-format', 'stream-json', '--include-partial-messages'], {
      env: env('b'),
    });
    await running.sees('text_delta');
    expect(state('b')).toBe('working');
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect(state('b')).toBe('failed');
  });

  it('a job whose stop was blocked and whose next request failed is not left as done', async () => {
    await using project = await testProject((_body, n) =>
      n === 0 ? { text: 'All done.' } : { error: { status: 401 } },
    );
    const jobDir = path.join(project.home, 'job');
    const settings = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] } });
    await project.run(['-p', 'x', '--settings', settings], { env: { STOPGATE_JOB_DIR: jobDir } });
    expect(JSON.parse(readFileSync(path.join(jobDir, 'state.json'), 'utf8'))).toMatchObject({ state: 'failed' });
  });

  it('--bare tells a job’s state by rules alone', async () => {
    await using project = await testProject(() => ({ text: 'It reads a file and counts its lines.' }));
    const jobDir = path.join(project.home, 'job');
    await project.run(['-p', 'explain', '--bare'], { env: { STOPGATE_JOB_DIR: jobDir } });
    expect(project.server.seen).toHaveLength(1);
    expect(JSON.parse(readFileSync(path.join(jobDir, 'state.json'), 'utf8'))).toMatchObject({ decidedBy: 'fallback' });
  });
});
