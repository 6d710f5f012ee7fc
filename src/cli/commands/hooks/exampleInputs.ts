import type { HookEventName } from '../../../hooks/types.ts';
import type { HookEventInput } from '../../../schemas/hookInputs.ts';

type Examples = { readonly [Name in HookEventName]: HookEventInput<Name> };

const call = {
  tool_name: 'Bash',
  tool_input: { command: 'npm test', description: 'Run the tests' },
  tool_use_id: 'toolu_example',
};
const task = { task_id: '1', task_subject: 'Fix the failing test' };
const stop = { stop_hook_active: false, last_assistant_message: 'Done: the failing test passes now.' };
const modelSwitch = {
  from_model: 'claude-sonnet-4-5',
  to_model: 'claude-haiku-4-5',
  requested_model: 'haiku',
  source: 'command',
  context_tokens: 20_000,
  prompt_cache_warm: true,
  cache_ttl: '5m',
  estimated_cache_write_usd: 0.02,
  pricing: 'catalog',
} as const;

/** A likely input of each event in a folder: its required fields. */
export function exampleInputs(cwd: string): Examples {
  return {
    PreToolUse: call,
    PostToolUse: { ...call, tool_response: { stdout: '12 tests passed', stderr: '', interrupted: false } },
    PostToolUseFailure: { ...call, error: 'Exit code 1' },
    PostToolBatch: { tool_calls: [{ ...call, tool_response: '12 tests passed' }] },
    PermissionRequest: { tool_name: call.tool_name, tool_input: call.tool_input },
    PermissionDenied: { ...call, reason: 'the command was judged to be unsafe' },
    Notification: { message: 'The agent is waiting for your input', notification_type: 'idle_prompt' },
    UserPromptSubmit: { prompt: 'Fix the failing test.' },
    UserPromptExpansion: {
      expansion_type: 'slash_command',
      command_name: 'review',
      command_args: '',
      prompt: '/review',
    },
    SessionStart: { source: 'startup' },
    SessionEnd: { reason: 'other' },
    Stop: stop,
    StopFailure: { error: 'rate_limit', last_assistant_message: 'The provider limits requests.' },
    SubagentStart: { agent_id: 'agent-example', agent_type: 'general-purpose' },
    SubagentStop: {
      ...stop,
      agent_id: 'agent-example',
      agent_transcript_path: `${cwd}/agent-example.jsonl`,
      agent_type: 'general-purpose',
    },
    PreCompact: { trigger: 'auto', custom_instructions: null },
    PostCompact: { trigger: 'auto', compact_summary: 'A test failed; its cause was found in total.js.' },
    PreModelSwitch: modelSwitch,
    PostModelSwitch: modelSwitch,
    Setup: { trigger: 'init' },
    TeammateIdle: { teammate_name: 'tester', team_name: 'example' },
    TaskCreated: task,
    TaskCompleted: task,
    Elicitation: { mcp_server_name: 'example', message: 'Which account?' },
    ElicitationResult: { mcp_server_name: 'example', action: 'accept' },
    ConfigChange: { source: 'project_settings', file_path: `${cwd}/.claude/settings.json` },
    WorktreeCreate: { name: 'example' },
    WorktreeRemove: { worktree_path: `${cwd}/../example` },
    InstructionsLoaded: { file_path: `${cwd}/CLAUDE.md`, memory_type: 'Project', load_reason: 'session_start' },
    CwdChanged: { old_cwd: cwd, new_cwd: `${cwd}/src` },
    FileChanged: { file_path: `${cwd}/package.json`, event: 'change' },
    DirectoryAdded: { directory: `${cwd}/../other`, source: 'slash_command' },
    MessageDisplay: {
      turn_id: 'turn-example',
      message_id: 'message-example',
      index: 0,
      final: true,
      delta: 'Done: the failing test passes now.',
    },
  };
}
