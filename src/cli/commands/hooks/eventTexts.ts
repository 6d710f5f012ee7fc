import type { BlockEffect, EventRow } from '../../../hooks/events/eventRow.ts';
import type { HookEventName } from '../../../hooks/types.ts';
import type { HookEventInput } from '../../../schemas/hookInputs.ts';

/** The outcomes of an event, as clauses that follow "No hook objects:" or stand alone. */
export interface EventWords {
  readonly free: string;
  /** Where a block changes that. */
  readonly blocked?: string;
  /** Who sees the reason of a block, by default the model; null when it is not shown. */
  readonly reader?: string | null;
  /** The effect of `continue: false`, where it is not the end of the turn. */
  readonly prevented?: string;
  /** Context alone makes it continue. */
  readonly continuesWithContext?: true;
}

export const EVENT_WORDS: { readonly [Name in HookEventName]: EventWords } = {
  Stop: { free: 'the turn may end', blocked: 'the turn would continue', continuesWithContext: true },
  SubagentStop: {
    free: 'the subagent may end',
    blocked: 'the subagent would continue',
    reader: 'the subagent',
    prevented: 'the subagent would end',
    continuesWithContext: true,
  },
  StopFailure: { free: 'the turn ends with its error' },
  TeammateIdle: {
    free: 'the teammate may idle',
    blocked: 'the teammate would continue',
    reader: 'the teammate',
    prevented: 'the teammate would end',
  },
  TaskCreated: { free: 'the task is created', blocked: 'the task would not be created' },
  TaskCompleted: { free: 'the task is done', blocked: 'the task would stay open', prevented: 'a teammate would end' },
  PreToolUse: { free: 'permission rules decide', blocked: 'the tool would not run' },
  PostToolUse: { free: 'the model gets the result', blocked: 'the tool has run already' },
  PostToolUseFailure: { free: 'the model gets the error', blocked: 'the tool has failed already' },
  PostToolBatch: { free: 'the model gets the results' },
  PermissionRequest: { free: 'permission rules decide' },
  PermissionDenied: { free: 'the call stays denied' },
  UserPromptSubmit: {
    free: 'the prompt is sent',
    blocked: 'the prompt would not be sent',
    reader: 'you',
    prevented: 'the prompt would not be sent',
  },
  UserPromptExpansion: {
    free: 'the command is expanded',
    blocked: 'the command would not be expanded',
    reader: 'you',
    prevented: 'the command would not be expanded',
  },
  SessionStart: { free: 'the session starts' },
  SessionEnd: { free: 'the session ends' },
  Setup: { free: 'the setup is done' },
  SubagentStart: { free: 'the subagent starts' },
  InstructionsLoaded: { free: 'the instructions are used' },
  Notification: { free: 'the notification is sent' },
  MessageDisplay: { free: 'the text is shown' },
  PreCompact: {
    free: 'the conversation is compacted',
    blocked: 'the conversation would not be compacted',
    reader: 'you',
  },
  PostCompact: { free: 'the summary is used' },
  PreModelSwitch: { free: 'the model is switched', blocked: 'the model would not be switched', reader: 'you' },
  PostModelSwitch: { free: 'the new model answers' },
  ConfigChange: { free: 'the new settings are used', blocked: 'the new settings would not be used', reader: null },
  CwdChanged: { free: 'the turn continues in the new folder' },
  FileChanged: { free: 'the turn continues' },
  DirectoryAdded: { free: 'the folder is added' },
  WorktreeCreate: { free: 'the worktree is created', blocked: 'the worktree would not be created', reader: 'you' },
  WorktreeRemove: { free: 'the worktree is removed', blocked: 'the worktree would not be removed', reader: 'you' },
  Elicitation: { free: 'the question is shown to you', blocked: 'the question would be declined', reader: null },
  ElicitationResult: { free: 'the answer is passed on', blocked: 'the answer would be declined', reader: null },
};

const EXIT_2: { readonly [Effect in BlockEffect]: (words: EventWords) => string } = {
  blocks: ({ blocked = '', reader = 'the model' }) =>
    `${blocked}; ${reader === null ? 'its stderr is not shown' : `${reader} would see its stderr`}`,
  showsModel: ({ blocked = '' }) => `${blocked}; the model would see its stderr`,
  ends: () => 'the turn would end, with its stderr as the reason',
  showsPerson: () => 'changes nothing; its stderr is shown to you',
  ignored: () => 'changes nothing and is not shown',
};

/** The effect of exit code 2 of a hook on this event. */
export function describeExit2(row: EventRow): string {
  return EXIT_2[row.onBlock](EVENT_WORDS[row.name]);
}

const call = {
  tool_name: 'Bash',
  tool_input: { command: 'npm test', description: 'Run the tests' },
  tool_use_id: 'toolu_example',
};
const task = { task_id: '1', task_subject: 'Fix the failing test' };
const stop = {
  stop_hook_active: false,
  stop_attempt: 1,
  previous_reasons: [],
  changed_since_last_attempt: null,
  last_assistant_message: 'Done: the failing test passes now.',
};
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
export function exampleInputs(cwd: string): { readonly [Name in HookEventName]: HookEventInput<Name> } {
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
