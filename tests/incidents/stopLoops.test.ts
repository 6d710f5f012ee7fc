import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';
import { ALLOWED, bash, command, jsonLines, noVerdict, on, STREAM, settings, toldLast } from './incident.ts';

describe.concurrent('incidents: stops that never came to an end', () => {
  it('1: an evaluator that exits 1 with nothing to say on every stop does not hold the turn, and is named (codex-plugin-cc#414)', async () => {
    await using project = await testProject(() => ({ text: 'done' }));
    const evaluator = 'echo asked >> asked.log; exit 1 # review-gate';
    const end = await project.run(['-p', 'x', ...STREAM, ...on('Stop', command(evaluator))]);
    expect(end.code).toBe(0);
    expect(end.lines.at(-1)).toMatchObject({ terminal_reason: 'completed', result: 'done' });
    expect(project.read('asked.log')).toBe('asked\n');
    expect(noVerdict(end)).toMatch(/gave no verdict.*review-gate/);
    const plain = await project.run(['-p', 'x', ...on('Stop', command(evaluator))]);
    expect(plain).toMatchObject({ code: 0, stdout: 'done\n', stderr: expect.stringContaining('review-gate') });
  });

  it.each([
    ['{"continue":true}', `echo '{"continue":true}'`],
    ['{"continue":true,"suppressOutput":true}', `echo '{"continue":true,"suppressOutput":true}'`],
    ['{}', `echo '{}'`],
    ['nothing', 'true'],
    ['an empty line', 'echo'],
    ['words', 'echo all is well'],
    ['words on stderr', 'echo all is well >&2'],
  ])('2: a hook that prints %s at exit 0 never starts a new turn (claude-mem#1288, cc#43906)', async (_what, text) => {
    await using project = await testProject(() => ({ text: 'done' }));
    const end = await project.run(['-p', 'x', ...STREAM, ...on('Stop', command(text))]);
    expect([end.code, end.lines.at(-1).terminal_reason, noVerdict(end)]).toEqual([0, 'completed', undefined]);
    expect(project.server.seen).toHaveLength(1);
  });

  it('3: reminders between stops do not make a stop the first again (cc#54360)', async () => {
    await using project = await testProject((_body, n) => ({ text: `answer ${n}` }));
    const context = (event: string, text: string) =>
      JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
    // one that runs beside the turn and speaks up between its first and its second stop
    const late = `until [ -e asked ]; do sleep 0.02; done; echo '${context('UserPromptSubmit', 'tasks are open')}'`;
    const gate = 'cat >> stops.jsonl; echo >> stops.jsonl; touch asked; sleep 0.2; echo not yet >&2; exit 2';
    const args = settings({
      UserPromptSubmit: [command(late, { async: true })],
      Stop: [command(gate), command(`echo '${context('Stop', 'mind the style')}'`)],
    });
    const { lines } = await project.run(['-p', 'x', ...STREAM, ...args], {
      env: { STOPGATE_STOP_HOOK_BLOCK_CAP: '4' },
    });
    const active = jsonLines(project.read('stops.jsonl')).map(({ stop_hook_active }) => stop_hook_active);
    expect(active).toEqual([false, true, true, true, true]);
    expect(lines.at(-1)).toMatchObject({ terminal_reason: 'stop_hook_capped', result: 'answer 4' });
    expect(toldLast(project)).toContain('tasks are open');
    expect(toldLast(project)).toContain('mind the style');
  });

  it('3: nor do tool calls between them', async () => {
    await using project = await testProject((_body, n) =>
      n % 2 ? { tools: [bash('true')] } : { text: `answer ${n}` },
    );
    const gate = '[ "$(grep -c hook_event_name stops.jsonl)" -gt 3 ] || exit 2';
    const { lines } = await project.run([
      '-p',
      'x',
      ...ALLOWED,
      ...on('Stop', command(`cat >> stops.jsonl; echo >> stops.jsonl; ${gate}`)),
    ]);
    const active = jsonLines(project.read('stops.jsonl')).map(({ stop_hook_active }) => stop_hook_active);
    expect(active).toEqual([false, true, true, true]);
    expect(lines.at(-1).terminal_reason).toBe('completed');
  });

  it('4: a goal that waits for a person is asked about once more, then the turn is parked (cc#78121)', async () => {
    await using project = await testProject((body) => {
      const asks = JSON.stringify(body.messages).includes('Which database');
      if (body.tools?.length) return { text: 'Which database shall I use?' };
      if (project.server.seen.length < 3) return { text: '{"ok": false, "reason": "the goal is not reached"}' };
      return { text: JSON.stringify({ ok: false, reason: 'only the person can say', impossible: asks }) };
    });
    const judge = { type: 'prompt', prompt: 'Is the goal reached?' };
    const end = await project.run(['-p', 'migrate', ...STREAM, ...on('Stop', judge)]);
    expect(end.code).toBe(0);
    expect(end.lines.at(-1)).toMatchObject({ terminal_reason: 'completed', result: 'Which database shall I use?' });
    // asked, judged, asked once more, judged: and that is the end of it
    expect(project.server.seen).toHaveLength(4);
    expect(JSON.stringify(end.lines)).toContain('only the person can say');
  });

  // Fails until a judge's `impossible` is told to the person: its reason is only in the hook's own output now.
  it('4: and the person reads what it waits for (cc#78121)', async () => {
    const parked = '{"ok": false, "reason": "only the person can say", "impossible": true}';
    await using project = await testProject((body) => ({ text: body.tools?.length ? 'Which database?' : parked }));
    const end = await project.run(['-p', 'migrate', ...on('Stop', { type: 'prompt', prompt: 'Is the goal reached?' })]);
    expect(end.stderr).toContain('only the person can say');
  });

  it('4: a gate that does not understand waiting is capped, and the end says so (cc#78121)', async () => {
    await using project = await testProject(() => ({ text: 'Which database shall I use?' }));
    const args = ['-p', 'migrate', ...on('Stop', command('echo the goal is not reached >&2; exit 2'))];
    const end = await project.run([...args, ...STREAM], { env: { STOPGATE_STOP_HOOK_BLOCK_CAP: '2' } });
    expect(end.lines.at(-1)).toMatchObject({
      terminal_reason: 'stop_hook_capped',
      result: 'Which database shall I use?',
    });
    expect(project.server.seen).toHaveLength(3);
    const plain = await project.run(args, { env: { STOPGATE_STOP_HOOK_BLOCK_CAP: '1' } });
    expect(plain.stdout).toBe('Which database shall I use?\n');
    expect(plain.stderr).toContain('the goal is not reached');
    expect(plain.stderr).toContain('Stopped although a Stop hook still objects');
  });
});
