import { expect, it } from 'vitest';
import { executePreToolHooks, executeStopHooks } from './executeEvents.ts';
import { createBaseHookInput } from './firedEvent.ts';
import { type HookRequest, type HookRunner, NO_VERDICT } from './types.ts';

const seen: HookRequest[] = [];
const runner: HookRunner = {
  has: () => true,
  // biome-ignore lint/correctness/useYield: only the request is looked at
  run: async function* (request) {
    seen.push(request);
    return NO_VERDICT;
  },
};
const subject = { sessionId: 's', transcriptPath: '/t.jsonl', cwd: '/w', permissionMode: 'default' };
const { signal } = new AbortController();

it('fires Stop for the main agent and SubagentStop for a subagent', async () => {
  await executeStopHooks({ stop_hook_active: false }, { runner, subject, signal }).next();
  expect(seen.pop()).toMatchObject({ event: 'Stop', input: { stop_hook_active: false } });
  const agent = { ...subject, agentId: 'a1', agentType: 'Explore' };
  await executeStopHooks(
    { stop_hook_active: true, agentTranscriptPath: '/a.jsonl' },
    { runner, subject: agent, signal },
  ).next();
  expect(seen.pop()).toMatchObject({
    event: 'SubagentStop',
    input: { stop_hook_active: true, agent_id: 'a1', agent_type: 'Explore', agent_transcript_path: '/a.jsonl' },
  });
});

it('passes the id of a tool call on', async () => {
  await executePreToolHooks(
    { tool_name: 'Bash', tool_input: {}, tool_use_id: 'toolu_1' },
    { runner, subject, signal },
  ).next();
  expect(seen.pop()).toMatchObject({ event: 'PreToolUse', toolUseId: 'toolu_1' });
});

it('shows the permission mode only on events that have one', () => {
  expect(createBaseHookInput(subject, 'Stop')).toEqual({
    session_id: 's',
    transcript_path: '/t.jsonl',
    cwd: '/w',
    permission_mode: 'default',
    hook_event_name: 'Stop',
  });
  expect(createBaseHookInput(subject, 'TaskCompleted')).not.toHaveProperty('permission_mode');
  expect(
    createBaseHookInput({ ...subject, promptId: 'p', agentId: 'a', agentType: 't' }, 'Notification'),
  ).toMatchObject({
    prompt_id: 'p',
    agent_id: 'a',
    agent_type: 't',
  });
});
