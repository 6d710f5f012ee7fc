import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAlive, testProject } from '../support/project.ts';

const STREAM = ['--output-format', 'stream-json'];
const ALLOWED = [...STREAM, '--allowedTools', 'Bash'];
const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'test' } });
const hooks = (value: object) => JSON.stringify({ hooks: value });
const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });
const on = (event: string, ...entries: object[]) => ({ [event]: [{ hooks: entries }] });
const told = (project: { server: { seen: readonly { body: { messages: unknown } }[] } }, n: number) =>
  JSON.stringify(project.server.seen[n]?.body.messages);

describe.concurrent('hooks in a session', () => {
  it("leaves an untrusted project's hooks out and names each one, runs the person's own", async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    project.write('.claude/settings.json', hooks(on('Stop', command('touch evil'))));
    project.write('.claude/settings.local.json', hooks(on('SessionStart', command('touch worse'))));
    project.write('../home/.claude/settings.json', hooks(on('Stop', command('touch mine'))));
    const { stderr, lines } = await project.run(['-p', 'x', ...STREAM]);
    expect([existsSync(`${project.dir}/evil`), existsSync(`${project.dir}/worse`)]).toEqual([false, false]);
    expect(existsSync(`${project.dir}/mine`)).toBe(true);
    const said = lines.filter(({ subtype }) => subtype === 'informational').map(({ content }) => content);
    expect(said.join('\n')).toMatch(/Hook not run: Stop touch evil .*settings\.json\): this project is not trusted/);
    expect(said.join('\n')).toContain('SessionStart touch worse');
    expect(stderr).toBe('');
    const plain = await project.run(['-p', 'x']);
    expect(plain.stderr).toContain('touch evil');
    await project.run(['-p', 'x', '--trust-project']);
    expect(existsSync(`${project.dir}/evil`)).toBe(true);
  });

  it('--include-hook-events tells when a hook starts and what it answered', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const settings = hooks(on('Stop', command('echo seen; echo oops >&2')));
    const { lines } = await project.run(['-p', 'x', ...STREAM, '--include-hook-events', '--settings', settings]);
    const started = lines.find(({ subtype }) => subtype === 'hook_started');
    const response = lines.find(({ subtype }) => subtype === 'hook_response');
    expect(started).toMatchObject({ type: 'system', hook_event: 'Stop', hook_name: 'Stop' });
    expect(response).toMatchObject({ hook_id: started.hook_id, exit_code: 0, outcome: 'success', stderr: 'oops\n' });
    const without = await project.run(['-p', 'x', ...STREAM, '--settings', settings]);
    expect(without.lines.some(({ subtype }) => subtype?.startsWith('hook_'))).toBe(false);
  });

  it('--init and --maintenance run the Setup hooks first, --init-only runs nothing else and needs no model', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const note = (event: string) => on(event, command(`cat >> seen.txt; echo >> seen.txt; echo "${event} words"`));
    const settings = hooks({ ...note('Setup'), ...note('SessionStart'), ...note('SessionEnd') });
    const seen = () => {
      const lines = readFileSync(`${project.dir}/seen.txt`, 'utf8').split('\n').filter(Boolean);
      project.write('seen.txt', '');
      return lines
        .map((line) => JSON.parse(line))
        .map((i) => `${i.hook_event_name} ${i.trigger ?? i.source ?? i.reason}`);
    };
    const { lines } = await project.run(['-p', 'x', ...STREAM, '--maintenance', '--settings', settings]);
    expect(seen()).toEqual(['Setup maintenance', 'SessionStart startup', 'SessionEnd other']);
    expect(lines.filter(({ subtype }) => subtype === 'hook_started').map(({ hook_name }) => hook_name)).toEqual([
      'Setup:maintenance',
      'SessionStart:startup',
    ]);
    expect(told(project, 0)).not.toContain('Setup words');
    await project.run(['-p', 'x', '--init', '--maintenance', '--settings', settings]);
    expect(seen()).toEqual(['Setup init', 'SessionStart startup', 'SessionEnd other']);
    const only = await project.run(['--init-only', '--settings', settings], { env: { ANTHROPIC_API_KEY: '' } });
    expect([only.code, only.stdout]).toEqual([0, '']);
    expect(seen()).toEqual(['Setup init', 'SessionStart startup', 'SessionEnd other']);
    expect(project.server.seen).toHaveLength(2);
    expect(project.transcripts()).toHaveLength(2);
    await project.run(['-p', 'x', '--settings', settings]);
    expect(seen()).toEqual(['SessionStart startup', 'SessionEnd other']);
  });

  it('sums up each stop in the transcript, blocks among its errors', async () => {
    await using project = await testProject((_body, n) => ({ text: `answer ${n}` }));
    const once = command('[ -e told ] || { touch told; echo "run the tests" >&2; exit 2; }');
    project.write('../home/.claude/settings.json', hooks(on('Stop', once, command('echo fine'), command('exit 3'))));
    await project.run(['-p', 'x', ...STREAM]);
    const written = project.transcripts().flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    );
    const [first, second] = written.filter(({ subtype }) => subtype === 'stop_hook_summary');
    const { hookInfos, hookErrors, toolUseID, ...rest } = first.data;
    expect(rest).toEqual({
      event: 'Stop',
      hookCount: 3,
      preventedContinuation: false,
      stopReason: '',
      hasOutput: true,
    });
    expect(hookInfos).toHaveLength(3);
    expect(hookErrors.join('\n')).toMatch(/run the tests[\s\S]*exit 3: /);
    expect(toolUseID).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.data.toolUseID).not.toBe(toolUseID);
    const notices = written.filter(({ data }) => data?.key === 'stop-hook-error').map(({ subtype }) => subtype);
    expect(notices).toEqual(['stop_hook_blocked', 'stop_hook_error', 'stop_hook_error']);
  });

  it('obeys settings that change while it runs', async () => {
    await using project = await testProject((_body, n) =>
      n === 0 ? { tools: [bash('cp next.json .claude/settings.json; sleep 0.5')] } : { text: 'ok' },
    );
    project.write('.claude/settings.json', hooks({}));
    project.write('next.json', hooks(on('Stop', command('touch added'))));
    const { lines } = await project.run([
      '-p',
      'x',
      ...ALLOWED,
      '--trust-project',
      '--permission-mode',
      'bypassPermissions',
    ]);
    expect(existsSync(`${project.dir}/added`)).toBe(true);
    expect(JSON.stringify(lines)).toContain('settings.json changed; active hooks: 1 (before: 0)');
  });

  it('a ConfigChange hook can keep the old hooks', async () => {
    await using project = await testProject((_body, n) =>
      n === 0 ? { tools: [bash('cp next.json .claude/settings.json; sleep 0.5')] } : { text: 'ok' },
    );
    project.write('.claude/settings.json', hooks({}));
    project.write('next.json', hooks(on('Stop', command('touch added'))));
    const settings = hooks(on('ConfigChange', command('cat > change.json; exit 2')));
    await project.run([
      '-p',
      'x',
      ...ALLOWED,
      '--trust-project',
      '--permission-mode',
      'bypassPermissions',
      '--settings',
      settings,
    ]);
    expect(existsSync(`${project.dir}/added`)).toBe(false);
    expect(JSON.parse(project.read('change.json'))).toMatchObject({
      hook_event_name: 'ConfigChange',
      source: 'project_settings',
    });
  });

  it('tells FileChanged hooks of a watched file', async () => {
    await using project = await testProject((_body, n) =>
      n === 0 ? { tools: [bash('echo 1 > .env; sleep 0.6')] } : { text: 'ok' },
    );
    const settings = JSON.stringify({
      hooks: { FileChanged: [{ matcher: '.env', hooks: [command('cat > seen.json')] }] },
    });
    await project.run(['-p', 'x', ...ALLOWED, '--permission-mode', 'bypassPermissions', '--settings', settings]);
    expect(JSON.parse(project.read('seen.json'))).toMatchObject({
      event: 'add',
      file_path: path.join(project.dir, '.env'),
    });
  });

  it('gives later commands the variables that SessionStart and CwdChanged hooks leave', async () => {
    await using project = await testProject(
      (_body, n) =>
        [
          { tools: [bash('echo "first=$FROM_START"; mkdir sub; cd sub')] },
          { tools: [bash('echo "second=$FROM_CWD"; pwd')] },
        ][n] ?? { text: 'ok' },
    );
    const settings = hooks({
      ...on('SessionStart', command('echo "export FROM_START=hello" >> "$CLAUDE_ENV_FILE"')),
      ...on(
        'CwdChanged',
        command('echo "export FROM_CWD=there" >> "$CLAUDE_ENV_FILE"; cat > "$CLAUDE_PROJECT_DIR/cwd.json"'),
      ),
    });
    await project.run(['-p', 'x', ...ALLOWED, '--permission-mode', 'bypassPermissions', '--settings', settings]);
    expect(told(project, 1)).toContain('first=hello');
    expect(told(project, 2)).toContain('second=there');
    expect(JSON.parse(project.read('cwd.json'))).toMatchObject({ old_cwd: project.dir, new_cwd: `${project.dir}/sub` });
  });

  it('tells InstructionsLoaded and MessageDisplay hooks, and Notification hooks of nothing', async () => {
    await using project = await testProject((_body, n) =>
      n === 0 ? { text: 'trying', tools: [bash('touch made')] } : { text: 'could not' },
    );
    project.write('CLAUDE.md', 'be brief');
    const note = (name: string) => command(`cat >> ${name}.jsonl; echo >> ${name}.jsonl`);
    const settings = hooks({
      ...on('InstructionsLoaded', note('loaded')),
      ...on('MessageDisplay', note('shown')),
      ...on('Notification', note('noticed')),
    });
    await project.run(['-p', 'x', ...STREAM, '--settings', settings]);
    const lines = (name: string) =>
      project
        .read(`${name}.jsonl`)
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    expect(lines('loaded')).toMatchObject([
      { file_path: `${project.dir}/CLAUDE.md`, memory_type: 'Project', load_reason: 'session_start' },
    ]);
    expect(lines('shown').map(({ delta }) => delta)).toEqual(['trying', 'could not']);
    expect(existsSync(path.join(project.dir, 'noticed.jsonl'))).toBe(false);
  });

  it('asks a real MCP server', async () => {
    await using project = await testProject((_body, n) => ({ text: n === 0 ? 'half' : 'done' }));
    const server = path.join(import.meta.dirname, '../support/mcpServer.mjs');
    const settings = JSON.stringify({
      mcpServers: { judge: { command: process.execPath, args: [server] } },
      hooks: on('Stop', {
        type: 'mcp_tool',
        server: 'judge',
        tool: 'judge',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the hook fills it in
        input: { text: '${last_assistant_message}' },
      }),
    });
    const { lines, code } = await project.run(['-p', 'x', ...STREAM, '--settings', settings]);
    expect(code).toBe(0);
    expect(lines.at(-1).result).toBe('done');
    expect(told(project, 1)).toContain('\\"half\\" is not done');
  });

  it('an MCP server that never answers costs its time-out and is ended with the session', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const settings = JSON.stringify({
      mcpServers: { mute: { command: 'sh', args: ['-c', 'echo $$ > pid; exec sleep 600'] } },
      hooks: on('Stop', { type: 'mcp_tool', server: 'mute', tool: 't', timeout: 1 }),
    });
    const env = { MCP_TIMEOUT: '500' };
    const { code } = await project.run(['-p', 'x', ...STREAM, '--settings', settings], { env });
    expect(code).toBe(0);
    expect(isAlive(Number(project.read('pid')))).toBe(false);
  });

  it('a named pipe in the place of .mcp.json is said, not waited for', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [path.join(project.dir, '.mcp.json')]);
    const { code, stderr } = await project.run(['-p', 'x']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/\.mcp\.json is ignored: it is not a regular file/);
  });

  it('a bare repository among the files of a clone runs nothing', async () => {
    await using project = await testProject((_body, n) =>
      n === 0 ? { tools: [bash('cd sub && git status')] } : { text: 'ok' },
    );
    const { execFileSync } = await import('node:child_process');
    const sub = path.join(project.dir, 'sub');
    execFileSync('git', ['init', '--quiet', '--bare', sub]);
    for (const [key, value] of [
      ['core.bare', 'false'],
      ['core.worktree', '.'],
      ['core.fsmonitor', `touch ${project.dir}/pwned; false`],
    ] as const) {
      execFileSync('git', ['--git-dir', sub, 'config', key, value]);
    }
    await project.run(['-p', 'x', ...ALLOWED]);
    expect(existsSync(`${project.dir}/pwned`)).toBe(false);
  });

  it('a prompt hook judges with the conversation, and its tokens count', async () => {
    await using project = await testProject((body) => {
      if (body.tools?.length)
        return { text: body.messages.length > 2 ? 'now with tests' : 'no tests yet', usage: { out: 10 } };
      return {
        text: JSON.stringify(body.messages).includes('now with tests')
          ? 'Sure: {"ok": true}'
          : '{"ok": false, "reason": "there are no tests"}',
        usage: { out: 1000 },
      };
    });
    const settings = hooks(on('Stop', { type: 'prompt', prompt: 'Are there tests? $ARGUMENTS' }));
    const { lines } = await project.run(['-p', 'write it', ...STREAM, '--settings', settings]);
    expect(lines.at(-1).result).toBe('now with tests');
    expect(lines.at(-1).usage.output_tokens).toBe(2020);
    expect(Object.keys(lines.at(-1).modelUsage)).toHaveLength(2);
  });

  it('an agent hook looks for itself, and fires no hooks of its own', async () => {
    await using project = await testProject((body) => {
      const names = (body.tools ?? []).map((tool: { name: string }) => tool.name);
      if (!names.includes('StructuredOutput')) return { text: 'all done' };
      if (body.messages.length < 3)
        return { tools: [{ name: 'Read', input: { file_path: `${project.dir}/state.txt` } }] };
      const ok = JSON.stringify(body.messages).includes('state: finished');
      return {
        tools: [{ name: 'StructuredOutput', input: ok ? { ok } : { ok, reason: 'state.txt is not finished' } }],
      };
    });
    project.write('state.txt', 'state: started\n');
    const settings = hooks({
      ...on('Stop', { type: 'agent', prompt: 'Is state.txt finished?' }),
      ...on('PreToolUse', command('echo x >> pre.log')),
    });
    const { lines } = await project.run(['-p', 'x', ...STREAM, '--settings', settings], {
      env: { STOPGATE_STOP_HOOK_BLOCK_CAP: '1' },
    });
    expect(lines.at(-1)).toMatchObject({ terminal_reason: 'stop_hook_capped', result: 'all done' });
    expect(JSON.stringify(lines)).toContain('state.txt is not finished');
    expect(existsSync(`${project.dir}/pre.log`)).toBe(false);
  });

  it('an agent that a hook starts does not fire the hooks again', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const again = `echo run >> runs.log; "${process.execPath}" "${path.join(import.meta.dirname, '../../bin/stopgate.js')}" -p inner 2> inner.err`;
    const given = { allowedEnvVars: ['ANTHROPIC_API_KEY'] };
    project.write('../home/.claude/settings.json', hooks(on('Stop', command(again, given))));
    const { code } = await project.run(['-p', 'outer', ...STREAM]);
    expect(code).toBe(0);
    expect(project.read('runs.log')).toBe('run\n');
    expect(project.read('inner.err')).toContain('this agent was started inside a hook');
    expect(project.server.seen).toHaveLength(2);
  });

  it('one broken entry disables itself alone, with file, place and nearest name', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const file = project.write(
      '../home/.claude/settings.json',
      '{\n "hooks": {\n  "Stop": [{ "hooks": [{ "type": "comand", "command": "x" }, { "type": "command", "command": "touch ran" }] }],\n  "stop": []\n }\n}',
    );
    const { stderr } = await project.run(['-p', 'x']);
    expect(existsSync(`${project.dir}/ran`)).toBe(true);
    expect(stderr).toMatch(/settings\.json:3: hooks\.Stop\[0\]\.hooks\[0\]\.type: .*comand.*did you mean "command"/);
    expect(stderr).toMatch(/hooks\.stop: .*did you mean "Stop"/);
    expect(readFileSync(file, 'utf8')).toContain('comand');
  });
});
