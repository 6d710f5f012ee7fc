import * as z from 'zod';
import { HOOK_EVENTS } from './hookEventNames.ts';

/**
 * The value of `hooks` in a settings file. Unknown fields are allowed here and reported by the reader of the file: a
 * misspelled field must not turn off a gate.
 */

const common = {
  /** One permission rule; only for tool events. */
  if: z.string().optional(),
  /** Seconds. */
  timeout: z.number().positive().optional(),
  statusMessage: z.string().optional(),
  once: z.boolean().optional(),
  /** Ours: the meaning of a hook that crashes, times out or prints garbage, on every event that can block. */
  onError: z.enum(['allow', 'block']).optional(),
  name: z.string().optional(),
  description: z.string().optional(),
};

/** Claude Code's: the same for tool and prompt events; no effect on Stop and similar events. */
const onFailure = z.enum(['continue', 'block']).optional();

export const BashCommandHookSchema = z.object({
  type: z.literal(['command', 'bash']),
  command: z.string().min(1),
  /** If present, even empty, `command` is an executable and runs without a shell. */
  args: z.array(z.string()).optional(),
  shell: z.enum(['bash', 'powershell']).optional(),
  async: z.boolean().optional(),
  asyncRewake: z.boolean().optional(),
  /** Ours: its stdin stays open, and a line `{"prompt": …}` that it prints is a question to the user. */
  asksUser: z.boolean().optional(),
  /** Ours: names of secrets that this hook gets; hooks get none by default. */
  allowedEnvVars: z.array(z.string()).optional(),
  onFailure,
  ...common,
});

export const HttpHookSchema = z.object({
  type: z.literal('http'),
  url: z.url({ protocol: /^https?$/ }),
  method: z.enum(['POST', 'PUT', 'PATCH', 'GET', 'DELETE']).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  allowedEnvVars: z.array(z.string()).optional(),
  /** A template; an object's strings are filled in and it is sent as JSON. */
  body: z.union([z.string(), z.record(z.string(), z.json())]).optional(),
  onFailure,
  ...common,
});

export const PromptHookSchema = z.object({
  type: z.literal('prompt'),
  prompt: z.string().min(1),
  model: z.string().min(1).optional(),
  continueOnBlock: z.boolean().optional(),
  ...common,
});

const FORMER_TOOL_NAMES = new Map([
  ['FileRead', 'Read'],
  ['FileWrite', 'Write'],
  ['FileEdit', 'Edit'],
  ['Task', 'Agent'],
]);
const toolName = z.lazy(() => z.string().transform((name) => FORMER_TOOL_NAMES.get(name) ?? name));

export const AgentHookSchema = z.object({
  type: z.literal('agent'),
  prompt: z.string().min(1),
  model: z.string().min(1).optional(),
  tools: z.array(toolName).optional(),
  ...common,
});

export const McpToolHookSchema = z.object({
  type: z.literal('mcp_tool'),
  server: z.string().min(1),
  tool: z.string().min(1),
  input: z.record(z.string(), z.json()).optional(),
  ...common,
});

export const HookEntrySchema = z.discriminatedUnion('type', [
  BashCommandHookSchema,
  HttpHookSchema,
  PromptHookSchema,
  AgentHookSchema,
  McpToolHookSchema,
]);

/** Filters on the text of the last message of a source, on any event. */
export const MessageMatcherSchema = z.lazy(() =>
  z.object({
    pattern: z.string(),
    caseSensitive: z.boolean().default(false),
    source: z.enum(['assistant', 'user', 'tool_result']).default('assistant'),
  }),
);

const matcher = z.union([z.string(), MessageMatcherSchema]).optional();

/** A group: entries that share a matcher. */
export const HookMatcherSchema = z.object({ matcher, hooks: z.array(HookEntrySchema) });

const flatEntry = z.lazy(() => z.intersection(HookEntrySchema, z.object({ matcher })));
const eventName = z.lazy(() => z.object({ event: z.enum(HOOK_EVENTS) }));

/** The whole value of `hooks`: a record of events, or a list whose entries name their `event`. */
export const HooksSchema = z.union([
  z.lazy(() => z.partialRecord(z.enum(HOOK_EVENTS), z.array(z.union([HookMatcherSchema, flatEntry])))),
  z.lazy(() => z.array(z.union([z.intersection(HookMatcherSchema, eventName), z.intersection(flatEntry, eventName)]))),
]);

export type BashCommandHook = z.output<typeof BashCommandHookSchema>;
export type HttpHook = z.output<typeof HttpHookSchema>;
export type PromptHook = z.output<typeof PromptHookSchema>;
export type AgentHook = z.output<typeof AgentHookSchema>;
export type McpToolHook = z.output<typeof McpToolHookSchema>;
export type MessageMatcher = z.output<typeof MessageMatcherSchema>;
export type HooksSettings = z.output<typeof HooksSchema>;
