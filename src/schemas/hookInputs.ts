import * as z from 'zod';
import { evidence } from './evidence.ts';
import type { HookEventName } from './hookEventNames.ts';

/** The input of each event's hooks, besides the fields of all events. Extra fields are allowed. */

const text = z.string();
const maybe = z.string().optional();
const server = z.object({ name: text, source: text }).optional();
const tool = { tool_name: text, tool_input: z.unknown() };
const call = { ...tool, tool_use_id: text, mcp_server: server };
const stop = {
  stop_hook_active: z.boolean(),
  stop_attempt: z.number().optional(),
  previous_reasons: z.array(text).optional(),
  changed_since_last_attempt: z.boolean().nullable().optional(),
  last_assistant_message: maybe,
  background_tasks: z.array(z.looseObject({ id: text, type: text, status: text, description: text })).optional(),
  evidence: evidence.optional(),
  session_crons: z.array(z.looseObject({ id: text, schedule: text, recurring: z.boolean(), prompt: text })).optional(),
};
const task = { task_id: text, task_subject: text, task_description: maybe, teammate_name: maybe, team_name: maybe };
const modelSwitch = {
  from_model: text,
  to_model: text,
  requested_model: text.nullable(),
  context_tokens: z.number(),
  prompt_cache_warm: z.boolean(),
  cache_ttl: z.enum(['5m', '1h']),
  estimated_cache_write_usd: z.number(),
  pricing: z.enum(['configured', 'catalog', 'default']),
};

export const BaseHookInputSchema = z.looseObject({
  session_id: text,
  transcript_path: text,
  cwd: text,
  hook_event_name: text,
  prompt_id: maybe,
  permission_mode: maybe,
  agent_id: maybe,
  agent_type: maybe,
  effort: z.object({ level: text }).optional(),
});

export const HOOK_INPUT_SCHEMAS = {
  PreToolUse: z.looseObject(call),
  PostToolUse: z.looseObject({ ...call, tool_response: z.unknown(), duration_ms: z.number().optional() }),
  PostToolUseFailure: z.looseObject({
    ...call,
    error: text,
    is_interrupt: z.boolean().optional(),
    duration_ms: z.number().optional(),
  }),
  PostToolBatch: z.looseObject({
    tool_calls: z.array(z.looseObject({ ...tool, tool_use_id: text, tool_response: z.unknown().optional() })),
  }),
  Notification: z.looseObject({ message: text, title: maybe, notification_type: text }),
  UserPromptSubmit: z.looseObject({ prompt: text, source: maybe, session_title: maybe }),
  UserPromptExpansion: z.looseObject({
    expansion_type: z.enum(['slash_command', 'mcp_prompt']),
    command_name: text,
    command_args: text,
    command_source: maybe,
    prompt: text,
  }),
  SessionStart: z.looseObject({
    source: z.enum(['startup', 'resume', 'clear', 'compact', 'fork']),
    model: maybe,
    agent_type: maybe,
    session_title: maybe,
    seconds_since_last_response: z.number().optional(),
    context_tokens: z.number().optional(),
    prompt_cache_likely_expired: z.boolean().optional(),
    estimated_cache_write_usd: z.number().optional(),
  }),
  SessionEnd: z.looseObject({ reason: z.enum(['clear', 'resume', 'logout', 'prompt_input_exit', 'other']) }),
  Stop: z.looseObject(stop),
  StopFailure: z.looseObject({ error: text, error_details: maybe, last_assistant_message: maybe }),
  SubagentStart: z.looseObject({ agent_id: text, agent_type: text }),
  SubagentStop: z.looseObject({ ...stop, agent_id: text, agent_transcript_path: text, agent_type: text }),
  PreCompact: z.looseObject({ trigger: z.enum(['manual', 'auto']), custom_instructions: text.nullable() }),
  PostCompact: z.looseObject({ trigger: z.enum(['manual', 'auto']), compact_summary: text }),
  PreModelSwitch: z.looseObject({ ...modelSwitch, source: z.enum(['command', 'picker', 'sdk']) }),
  PostModelSwitch: z.looseObject({ ...modelSwitch, source: z.enum(['command', 'picker', 'sdk', 'auto', 'resume']) }),
  PermissionRequest: z.looseObject({
    ...tool,
    permission_suggestions: z.array(z.unknown()).optional(),
    mcp_server: server,
  }),
  PermissionDenied: z.looseObject({ ...call, reason: text }),
  Setup: z.looseObject({ trigger: z.enum(['init', 'maintenance']) }),
  TeammateIdle: z.looseObject({ teammate_name: text, team_name: text }),
  TaskCreated: z.looseObject(task),
  TaskCompleted: z.looseObject({ ...task, evidence: evidence.optional() }),
  Elicitation: z.looseObject({
    mcp_server_name: text,
    message: text,
    mode: z.enum(['form', 'url']).optional(),
    url: maybe,
    elicitation_id: maybe,
    requested_schema: z.record(text, z.unknown()).optional(),
  }),
  ElicitationResult: z.looseObject({
    mcp_server_name: text,
    action: text,
    mode: maybe,
    elicitation_id: maybe,
    content: z.record(text, z.unknown()).optional(),
  }),
  ConfigChange: z.looseObject({
    source: z.enum(['user_settings', 'project_settings', 'local_settings', 'policy_settings', 'skills']),
    file_path: maybe,
  }),
  WorktreeCreate: z.looseObject({ name: text }),
  WorktreeRemove: z.looseObject({ worktree_path: text }),
  InstructionsLoaded: z.looseObject({
    file_path: text,
    memory_type: z.enum(['User', 'Project', 'Local', 'Managed']),
    load_reason: z.enum(['session_start', 'nested_traversal', 'path_glob_match', 'include', 'compact']),
    globs: z.array(text).optional(),
    trigger_file_path: maybe,
    parent_file_path: maybe,
  }),
  CwdChanged: z.looseObject({ old_cwd: text, new_cwd: text }),
  FileChanged: z.looseObject({ file_path: text, event: z.enum(['change', 'add', 'unlink']) }),
  DirectoryAdded: z.looseObject({ directory: text, source: z.enum(['slash_command', 'register_repo_root']) }),
  MessageDisplay: z.looseObject({
    turn_id: text,
    message_id: text,
    index: z.number(),
    final: z.boolean(),
    delta: text,
  }),
} as const satisfies Record<HookEventName, z.ZodType>;

type BaseHookInput = z.output<typeof BaseHookInputSchema>;
/** The event's own fields. */
export type HookEventInput<Name extends HookEventName> = z.input<(typeof HOOK_INPUT_SCHEMAS)[Name]>;
/** What a hook on the event receives. */
export type HookInput<Name extends HookEventName> = BaseHookInput & HookEventInput<Name>;
