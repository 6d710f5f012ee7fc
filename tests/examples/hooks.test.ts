import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/testing/modelServer.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { type CommandOptions, type TestProject, testProject } from '../support/project.ts';

const HOOKS = path.join(import.meta.dirname, '../../examples/hooks');
const README = readFileSync(path.join(HOOKS, 'README.md'), 'utf8');
const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'test' } });

/** The entries to paste under a hook's heading, as the README has them. */
function entries(hook: string): string[] {
  const section = README.split(/^## /m).find((part) => part.startsWith(`${hook}\n`)) ?? '';
  return [...section.matchAll(/```json\n(.*?)```/gs)].map(([, json]) => json as string);
}

/** A project set up as the README says: scripts in .claude/hooks, the entry in .claude/settings.json. */
async function projectWith(settings: string | undefined, answer: Answer): Promise<TestProject> {
  const project = await testProject(answer);
  cpSync(HOOKS, path.join(project.dir, '.claude/hooks'), { recursive: true });
  project.write('.claude/settings.json', settings ?? 'no such entry');
  return project;
}

const run = (project: TestProject, { env }: CommandOptions = {}) =>
  project.run(
    ['-p', 'do it', '--output-format', 'stream-json', '--trust-project', '--dangerously-skip-permissions'],
    // what a gate remembers between two stops goes with the project
    { env: { TMPDIR: project.home, ...env } },
  );

/** What request `n` was told last. */
const told = ({ server }: TestProject, n: number) => JSON.stringify(server.seen[n]?.body.messages.at(-1)?.content);
/** What hooks said to the person. */
const saidToPerson = (lines: readonly { attachment?: { type: string; content: string } }[]) =>
  lines.flatMap(({ attachment }) => (attachment?.type === 'hook_system_message' ? [attachment.content] : []));

/** A hook by itself, given an event. */
async function hook(name: string, args: readonly string[], event: unknown, options: { cwd: string; env?: object }) {
  const env = { PATH: process.env.PATH, TMPDIR: options.cwd, ...options.env } as NodeJS.ProcessEnv;
  const child = spawn(process.execPath, [path.join(HOOKS, name), ...args], { cwd: options.cwd, env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (piece) => {
    stdout += piece;
  });
  child.stderr.on('data', (piece) => {
    stderr += piece;
  });
  child.stdin.end(typeof event === 'string' ? event : JSON.stringify(event));
  const [code] = await once(child, 'close');
  return { code, stdout, stderr, said: stdout === '' ? undefined : JSON.parse(stdout) };
}

describe.concurrent('the README of the hooks', () => {
  it('has the entries of the settings files, word for word', () => {
    for (const name of ['post-summary', 'judge-model', 'agent-review']) {
      const file = readFileSync(path.join(HOOKS, `${name}.settings.json`), 'utf8');
      expect(JSON.parse(entries(name)[0] ?? '')).toEqual(JSON.parse(file));
    }
  });
});

describe.concurrent('tests-must-pass', () => {
  it('sends the agent back with the failing lines, and lets it go when it has fixed them', async () => {
    await using project = await projectWith(entries('tests-must-pass')[0], (_body, n) =>
      n === 1 ? { tools: [bash('echo fixed > state')] } : { text: n === 0 ? 'done' : 'really done' },
    );
    project.write('package.json', JSON.stringify({ scripts: { test: 'echo total is 7 not 9; grep fixed state' } }));
    project.write('state', 'broken\n');
    const { lines, code } = await run(project);
    expect(code).toBe(0);
    expect(lines.at(-1)).toMatchObject({ terminal_reason: 'completed', result: 'really done' });
    expect(project.server.seen).toHaveLength(3);
    expect(told(project, 1)).toContain('Stop hook feedback:\\n`npm test` failed with exit code 1.');
    expect(told(project, 1)).toContain('total is 7 not 9');
  });

  it('gives up on a failure that stays the same, and says so', async () => {
    await using folder = await tempFolder();
    const fail = (active: boolean, command: string) =>
      hook('tests-must-pass.mjs', [command], { session_id: 's', stop_hook_active: active }, { cwd: folder.path });
    expect((await fail(false, 'echo took 1 ms; exit 1')).said).toMatchObject({ decision: 'block' });
    expect((await fail(true, 'echo took 2 ms; exit 1')).said).toMatchObject({ decision: 'block' });
    expect((await fail(true, 'echo took 3 ms; exit 1')).said).toMatchObject({ decision: 'block' });
    const last = await fail(true, 'echo took 4 ms; exit 1');
    expect(last.said).toEqual({ systemMessage: expect.stringContaining('gave up and allowed the stop') });
    expect((await fail(true, 'echo another; exit 1')).said).toMatchObject({ decision: 'block' });
  });

  it.each([
    ['a session without an id is sent back once', { stop_hook_active: false }, 'block'],
    ['and then let go', { stop_hook_active: true }, undefined],
    ['an event it cannot read is no reason to fail', 'garbage', 'block'],
  ])('%s', async (_name, event, decision) => {
    await using folder = await tempFolder();
    const { code, said } = await hook('tests-must-pass.mjs', ['exit 3'], event, { cwd: folder.path });
    expect([code, said.decision]).toEqual([0, decision]);
  });

  it('keeps the end of a flood, and does not wait for what the tests left running', async () => {
    await using folder = await tempFolder();
    const flood = 'seq 1 200000; sleep 60 & echo $! > pid; echo the end >&2; exit 1';
    const startedAt = Date.now();
    const { said } = await hook('tests-must-pass.mjs', [flood], { session_id: 's' }, { cwd: folder.path });
    expect(Date.now() - startedAt).toBeLessThan(20_000);
    expect(said.reason.length).toBeLessThan(5_000);
    expect(said.reason).toContain('the end');
    process.kill(Number(readFileSync(path.join(folder.path, 'pid'), 'utf8')));
  });

  it('says what it needs', async () => {
    await using folder = await tempFolder();
    expect(await hook('tests-must-pass.mjs', [], {}, { cwd: folder.path })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('needs the command to run'),
    });
    const missing = await hook('tests-must-pass.mjs', ['no-such-program', 'x'], {}, { cwd: folder.path });
    expect(missing.said.reason).toContain('`no-such-program x` could not be started');
  });
});

/** A repository with one commit, on a branch of its own, and a bare remote that does not have it yet. */
function gitProject(project: TestProject) {
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
    return execFileSync('git', [...who, ...args], { cwd: project.dir, encoding: 'utf8', stdio: 'pipe' });
  };
  git('init', '-q', '--bare', '../remote.git');
  git('init', '-q', '-b', 'fix-total');
  git('remote', 'add', 'origin', '../remote.git');
  git('add', '.');
  git('commit', '-qm', 'start');
  return git;
}

describe.concurrent('pull-request-ready', () => {
  it('wants a commit, a push and the tasks done, then lets go', async () => {
    const task = (input: object) => ({ name: 'TaskUpdate', input: { taskId: '1', ...input } });
    const script = [
      { tools: [{ name: 'TaskCreate', input: { subject: 'Fix total', description: 'd' } }, bash('echo 9 > total')] },
      { text: 'done' },
      { tools: [bash('git add -A && git -c user.name=t -c user.email=t@x.y commit -qm fix')] },
      { text: 'committed' },
      { tools: [bash('git push -qu origin fix-total'), task({ status: 'in_progress' })] },
      { text: 'pushed' },
      { tools: [task({ status: 'completed' })] },
      { text: 'ready' },
    ];
    await using project = await projectWith(entries('pull-request-ready')[0], (_body, n) => script[n] ?? { text: '?' });
    const git = gitProject(project);
    const { lines } = await run(project);
    expect(lines.at(-1)).toMatchObject({ terminal_reason: 'completed', result: 'ready' });
    expect(project.server.seen).toHaveLength(8);
    expect(told(project, 2)).toContain('?? total');
    expect(told(project, 2)).toContain('Branch fix-total was never pushed: git push -u origin fix-total');
    expect(told(project, 2)).toContain('#1 Fix total (pending)');
    expect(told(project, 4)).not.toContain('not committed');
    expect(told(project, 6)).toContain('#1 Fix total (in_progress)');
    expect(told(project, 6)).not.toContain('push');
    expect(git('--git-dir', '../remote.git', 'log', '--format=%s', 'fix-total')).toBe('fix\nstart\n');
  });

  it('counts commits that are not pushed, and sees branches that have diverged', async () => {
    await using project = await projectWith(entries('pull-request-ready')[0], () => ({ text: 'ok' }));
    const git = gitProject(project);
    const ask = async () =>
      (await hook('pull-request-ready.mjs', [], { session_id: 's' }, { cwd: project.dir })).said?.reason;
    git('push', '-qu', 'origin', 'fix-total');
    expect(await ask()).toBeUndefined();
    git('commit', '-q', '--allow-empty', '-m', 'two');
    expect(await ask()).toContain('1 commit of fix-total not in origin/fix-total: git push');
    git('push', '-q');
    git('reset', '-q', '--hard', 'HEAD~1');
    git('commit', '-q', '--allow-empty', '-m', 'other');
    expect(await ask()).toContain('have diverged');
    git('checkout', '-q', '--detach');
    expect(await ask()).toContain('No branch is checked out');
  });

  it('has no opinion where there is no repository', async () => {
    await using folder = await tempFolder();
    const { code, said } = await hook('pull-request-ready.mjs', [], {}, { cwd: folder.path });
    expect([code, Object.keys(said)]).toEqual([0, ['systemMessage']]);
  });
});

describe.concurrent('suggest-dream', () => {
  it('tells the person once for every ten new notes, and never keeps the agent', async () => {
    await using project = await projectWith(entries('suggest-dream')[0], () => ({ text: 'ok' }));
    const session = async () => {
      const { lines } = await run(project);
      expect(lines.at(-1)).toMatchObject({ terminal_reason: 'completed', result: 'ok' });
      return saidToPerson(lines).filter((text) => text.includes('Memory has grown'));
    };
    expect(await session()).toEqual([]);
    const memory = path.join(path.dirname(project.transcripts()[0] as string), 'memory');
    mkdirSync(memory);
    const note = (n: number) => writeFileSync(path.join(memory, `note-${n}.md`), 'a fact\n');
    for (let n = 0; n < 9; n++) note(n);
    writeFileSync(path.join(memory, 'MEMORY.md'), 'the index, no note\n');
    expect(await session()).toEqual([]);
    note(9);
    expect(await session()).toEqual([expect.stringContaining('grown by 10 notes to 10 (1 kB)')]);
    expect(await session()).toEqual([]);
    expect(project.server.seen).toHaveLength(4);
  });

  it('counts from the last dream, and on SessionStart tells the agent', async () => {
    await using folder = await tempFolder();
    const memory = path.join(folder.path, 'memory');
    mkdirSync(memory);
    for (let n = 0; n < 3; n++) writeFileSync(path.join(memory, `${n}.md`), 'a fact\n');
    const event = { hook_event_name: 'SessionStart', transcript_path: path.join(folder.path, 's.jsonl') };
    const ask = () => hook('suggest-dream.mjs', ['3'], event, { cwd: folder.path });
    writeFileSync(path.join(memory, '.dream.json'), JSON.stringify({ lastDreamAt: Date.now() + 60_000 }));
    expect((await ask()).said).toBeUndefined();
    writeFileSync(path.join(memory, '.dream.json'), JSON.stringify({ lastDreamAt: 1 }));
    expect((await ask()).said.hookSpecificOutput).toMatchObject({
      hookEventName: 'SessionStart',
      additionalContext: expect.stringContaining('grown by 3 notes'),
    });
  });
});

/** A receiver of summaries on loopback. */
async function receiver(status = 200, answer = '') {
  const posts: { body: unknown; authorization: string | undefined }[] = [];
  const server = http.createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    posts.push({ body: JSON.parse(text), authorization: request.headers.authorization });
    response.writeHead(status).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    posts,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.concurrent('post-summary', () => {
  it('posts the last answer as an http hook', async () => {
    await using summaries = await receiver();
    const settings = entries('post-summary')[0]?.replace('https://example.com/agent-summaries', summaries.url);
    await using project = await projectWith(settings, () => ({ text: 'all "done"' }));
    const { lines, code } = await run(project, { env: { SUMMARY_TOKEN: 'secret' } });
    expect([code, lines.at(-1).terminal_reason]).toEqual([0, 'completed']);
    const { session_id } = lines.at(-1);
    expect(summaries.posts).toEqual([{ body: { text: 'all "done"', session_id }, authorization: 'Bearer secret' }]);
  });

  it('posts it as a script, whatever the receiver answers', async () => {
    await using summaries = await receiver(200, 'ok');
    await using project = await projectWith(entries('post-summary')[1], () => ({ text: 'x'.repeat(5_000) }));
    const { lines } = await run(project, { env: { SUMMARY_URL: summaries.url } });
    expect(lines.at(-1).terminal_reason).toBe('completed');
    expect(saidToPerson(lines)).toEqual([]);
    expect(summaries.posts).toMatchObject([
      { body: { text: `${'x'.repeat(4_000)}…`, project: project.dir, again: false }, authorization: undefined },
    ]);
  });

  it('a receiver that fails changes nothing but a line for the person', async () => {
    await using summaries = await receiver(503);
    await using project = await projectWith(entries('post-summary')[1], () => ({ text: 'ok' }));
    const { lines, code } = await run(project, { env: { SUMMARY_URL: summaries.url } });
    expect([code, lines.at(-1).terminal_reason]).toEqual([0, 'completed']);
    expect(saidToPerson(lines).join()).toContain('The summary was not accepted: HTTP 503.');
    await using folder = await tempFolder();
    const nowhere = await hook('post-summary.mjs', ['http://127.0.0.1:9/'], {}, { cwd: folder.path });
    expect(nowhere).toMatchObject({ code: 0, said: { systemMessage: expect.stringContaining('not posted') } });
    const unset = await hook('post-summary.mjs', [], {}, { cwd: folder.path });
    expect(unset).toMatchObject({ code: 0, said: { systemMessage: expect.stringContaining('not posted') } });
  });
});

describe.concurrent('words for the person', () => {
  // Fails until executeHooks tells a `notice` for a systemMessage: only stream-json has them now, inside an attachment.
  it('are shown where nobody reads stream-json', async () => {
    await using project = await projectWith(entries('post-summary')[1], () => ({ text: 'ok' }));
    const { stderr } = await project.run(['-p', 'x', '--trust-project'], {
      env: { SUMMARY_URL: 'http://127.0.0.1:9/' },
    });
    expect(stderr).toContain('The summary was not posted');
  });
});

describe.concurrent('judge-model', () => {
  it('sends the agent back with the reason, and lets it go when the judge is content', async () => {
    await using project = await projectWith(entries('judge-model')[0], (body) => {
      const ran = JSON.stringify(body.messages).includes('all 3 passed');
      if (!body.tools?.length) {
        return { text: ran ? '{"ok": true}' : '{"ok": false, "reason": "the tests were not run"}' };
      }
      const sentBack = JSON.stringify(body.messages).includes('Stop hook feedback');
      if (sentBack && !ran) return { tools: [bash('echo all 3 passed')] };
      return { text: ran ? 'tested' : 'it works' };
    });
    const { lines } = await run(project);
    expect(lines.at(-1)).toMatchObject({ terminal_reason: 'completed', result: 'tested' });
    const judged = project.server.seen.filter(({ body }) => !body.tools?.length);
    expect(judged).toHaveLength(2);
    expect(JSON.stringify(judged[0]?.body.messages)).toContain('it works');
    expect(JSON.stringify(lines)).toContain('the tests were not run');
  });
});

describe.concurrent('agent-review', () => {
  it('sends the agent back with what the reviewer found, and lets it go when that is gone', async () => {
    await using project = await projectWith(entries('agent-review')[0], (body) => {
      const said = JSON.stringify(body.messages);
      const names = (body.tools ?? []).map((tool: { name: string }) => tool.name);
      if (names.includes('StructuredOutput')) {
        expect(names.toSorted()).toEqual(['Bash', 'Glob', 'Grep', 'Read', 'StructuredOutput']);
        if (body.messages.length < 3) return { tools: [bash('cat total.js')] };
        const ok = said.includes('i = 0');
        const input = ok ? { ok } : { ok, reason: 'total.js:1 skips the first line' };
        return { tools: [{ name: 'StructuredOutput', input }] };
      }
      if (said.includes('echo fixed')) return { text: 'fixed' };
      if (!said.includes('skips the first line')) return { text: 'done' };
      return { tools: [bash('sed -i "s/i = 1/i = 0/" total.js; echo fixed')] };
    });
    project.write('total.js', 'for (let i = 1; i < n; i++) sum += lines[i];\n');
    const { lines } = await run(project);
    expect(lines.at(-1)).toMatchObject({ terminal_reason: 'completed', result: 'fixed' });
    expect(project.read('total.js')).toContain('i = 0');
  });
});
