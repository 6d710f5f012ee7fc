import { describe, expect, it } from 'vitest';
import { fakeHooks, runTurn } from '../testing/runTurn.ts';
import { fakeTool } from '../testing/tools.ts';

const call = { name: 'Echo', input: { text: 'hi' } };
const echo = fakeTool('Echo');

/** All texts of the last request. */
function lastTold(requests: readonly { messages: Iterable<unknown> }[]): string {
  return JSON.stringify([...(requests.at(-1)?.messages ?? [])]);
}

describe('hooks around tools', () => {
  it('PreToolUse can refuse a call, and the model reads why', async () => {
    let ran = false;
    const tool = fakeTool('Echo', {
      run: () => {
        ran = true;
        return '';
      },
    });
    const hooks = fakeHooks({ PreToolUse: () => ({ permission: { decision: 'deny', reason: 'not here' } }) });
    const { model } = await runTurn({ replies: [{ tools: [call] }, { text: 'ok' }], tools: [tool], hooks });
    expect(ran).toBe(false);
    expect(lastTold(model.requests)).toContain('not here');
  });

  it('PreToolUse can change the input', async () => {
    const hooks = fakeHooks({ PreToolUse: () => ({ updatedInput: { text: 'changed' } }) });
    const { model } = await runTurn({ replies: [{ tools: [call] }, { text: 'ok' }], tools: [echo], hooks });
    expect(lastTold(model.requests)).toContain('"content":"changed"');
  });

  it('PreToolUse that changes the input into a wrong one refuses the call', async () => {
    const hooks = fakeHooks({ PreToolUse: () => ({ updatedInput: { nope: 1 } }) });
    const { model } = await runTurn({ replies: [{ tools: [call] }, { text: 'ok' }], tools: [echo], hooks });
    expect(lastTold(model.requests)).toContain(
      'PreToolUse hook for Echo returned updatedInput that failed schema validation',
    );
  });

  it('a hook’s allow spares the question but not a deny rule', async () => {
    const hooks = fakeHooks({ PreToolUse: () => ({ permission: { decision: 'allow', reason: '' } }) });
    const permissions = (deny: string[]) => ({
      mode: 'default' as const,
      rules: { allow: [], ask: [], deny },
      additionalDirectories: [],
      homeDir: '/home/tester',
    });
    const other = { ...echo, permission: () => ({ type: 'other' as const }) };
    const run = (deny: string[], hooked: boolean) =>
      runTurn({
        replies: [{ tools: [call] }, { text: 'ok' }],
        tools: [other],
        context: { permissions: permissions(deny) },
        ...(hooked ? { hooks } : {}),
      });
    expect(lastTold((await run([], false)).model.requests)).toContain('"is_error":true');
    expect(lastTold((await run([], true)).model.requests)).not.toContain('is_error');
    expect(lastTold((await run(['Echo'], true)).model.requests)).toContain('"is_error":true');
  });

  it('what a PermissionRequest hook puts in the place of a call is held to the rules too', async () => {
    const decision = { behavior: 'allow', updatedInput: { text: 'forbidden' } };
    const hooks = fakeHooks({ PermissionRequest: () => ({ specific: { decision } }) });
    const guarded = {
      ...echo,
      permission: (input: unknown) => ({ type: 'command' as const, command: (input as { text: string }).text }),
    };
    const { model } = await runTurn({
      replies: [{ tools: [call] }, { text: 'ok' }],
      tools: [{ ...guarded, name: 'Echo' }],
      hooks,
      context: {
        permissions: {
          mode: 'default',
          rules: { allow: [], ask: [], deny: ['Echo(forbidden)'] },
          additionalDirectories: [],
          homeDir: '/home/tester',
        },
      },
    });
    expect(lastTold(model.requests)).toContain('"is_error":true');
  });

  it.each(['PreToolUse', 'PostToolUse', 'PostToolBatch'] as const)(
    '%s can end the turn: hook_stopped, no Stop hooks',
    async (event) => {
      const hooks = fakeHooks({ [event]: () => ({ prevented: 'enough' }), Stop: () => ({}) });
      const { terminal, model } = await runTurn({
        replies: [{ tools: [call] }, { text: 'never' }],
        tools: [echo],
        hooks,
      });
      expect(terminal).toEqual({ reason: 'hook_stopped', stopReason: 'enough' });
      expect(model.requests).toHaveLength(1);
      expect(hooks.calls.map((request) => request.event)).not.toContain('Stop');
    },
  );

  it('contexts of a round reach the model after its results, in one text', async () => {
    const hooks = fakeHooks({ PostToolUse: () => ({ contexts: ['note'] }) });
    const readOnly = fakeTool('Echo', { readOnly: true });
    const { model } = await runTurn({ replies: [{ tools: [call, call] }, { text: 'ok' }], tools: [readOnly], hooks });
    const last = model.requests[1]?.messages.at(-1);
    expect(last?.content).toMatchObject([{ type: 'text', text: expect.stringContaining('note\nnote') }]);
  });

  it('PostToolUseFailure gets the error', async () => {
    const hooks = fakeHooks({ PostToolUseFailure: () => ({}) });
    const failing = fakeTool('Echo', {
      run: () => {
        throw new Error('broken');
      },
    });
    await runTurn({ replies: [{ tools: [call] }, { text: 'ok' }], tools: [failing], hooks });
    expect(hooks.calls[0]?.input).toMatchObject({ tool_name: 'Echo', error: 'broken', tool_input: { text: 'hi' } });
  });
});

describe('hooks at the stop', () => {
  it('a block sends the turn back with its feedback, and is reported to the next stop', async () => {
    const hooks = fakeHooks({ Stop: ({ input }) => (input.stop_hook_active ? {} : { blocks: ['not yet'] }) });
    const { terminal, model } = await runTurn({ replies: [{ text: 'one' }, { text: 'two' }], hooks });
    expect(terminal.reason).toBe('completed');
    expect(lastTold(model.requests)).toContain('not yet');
    expect(hooks.calls.map(({ input }) => input.last_assistant_message)).toEqual(['one', 'two']);
  });

  it('prevented beats blocked', async () => {
    const hooks = fakeHooks({ Stop: () => ({ blocks: ['more'], prevented: 'enough' }) });
    const { terminal } = await runTurn({ replies: [{ text: 'one' }], hooks });
    expect(terminal).toEqual({ reason: 'stop_hook_prevented', stopReason: 'enough' });
  });

  it('a context alone goes on as well', async () => {
    const hooks = fakeHooks({ Stop: ({ input }) => (input.stop_hook_active ? {} : { contexts: ['the changelog'] }) });
    const { terminal, model } = await runTurn({ replies: [{ text: 'one' }, { text: 'two' }], hooks });
    expect(terminal.reason).toBe('completed');
    expect(lastTold(model.requests)).toContain('the changelog');
  });

  it('is capped after eight blocks in a row, with the last reason named', async () => {
    const hooks = fakeHooks({ Stop: () => ({ blocks: ['never happy'] }) });
    const { terminal, model, events } = await runTurn({ replies: [{ text: 'one', repeat: 'forever' }], hooks });
    expect(terminal).toEqual({ reason: 'stop_hook_capped', blocks: 8, lastBlock: 'never happy' });
    expect(model.requests).toHaveLength(9);
    expect(events).toContainEqual(expect.objectContaining({ type: 'system', level: 'warning' }));
  });

  it('a tool call starts the count anew', async () => {
    const hooks = fakeHooks({ Stop: () => (hooks.calls.length < 25 ? { blocks: ['again'] } : {}) });
    const replies = (_request: unknown, n: number) => (n % 2 === 0 ? { tools: [call] } : { text: 'done' });
    const { terminal } = await runTurn({ replies, tools: [echo], hooks });
    expect(terminal.reason).toBe('completed');
    expect(hooks.calls).toHaveLength(25);
  });

  it('an interrupt while a Stop hook runs ends the turn, never blocks it', async () => {
    const controller = new AbortController();
    const hooks = fakeHooks({
      Stop: () => {
        controller.abort();
        return { blocks: ['late'] };
      },
    });
    const { terminal, transcript } = await runTurn({ replies: [{ text: 'one' }], hooks, signal: controller.signal });
    expect(terminal.reason).toBe('stop_hook_prevented');
    expect(JSON.stringify(transcript.at(-1))).toContain('[Request interrupted by user]');
  });
});
