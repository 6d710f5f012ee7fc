import type { HookEventInput } from '../schemas/hookInputs.ts';
import type { HookEvent, HookEventName, HookRequest, HookRunner, HookVerdict } from './types.ts';

type FieldsByEvent = {
  readonly [Name in HookEventName]: {
    readonly [Field in keyof HookEventInput<Name> as Exclude<
      Field,
      'agent_id' | 'agent_type'
    >]: HookEventInput<Name>[Field];
  };
};

/** An event's own fields; `createBaseHookInput` adds the common ones. */
export type HookFields<Name extends HookEventName> = FieldsByEvent[Name];

export interface FireOptions extends Omit<HookRequest, 'event' | 'input'> {
  readonly runner: HookRunner;
}

export type HookExecution = AsyncGenerator<HookEvent, HookVerdict>;

/** Fires any event, including those that this agent never fires itself. */
export function fireHooks<Name extends HookEventName>(
  event: Name,
  input: HookFields<Name>,
  { runner, ...options }: FireOptions,
): HookExecution {
  const fields: Readonly<Record<string, unknown>> = input;
  const { tool_use_id: id } = fields;
  return runner.run({ event, input: fields, ...(typeof id === 'string' && { toolUseId: id }), ...options });
}

const fires =
  <Name extends HookEventName>(event: Name) =>
  (input: HookFields<Name>, options: FireOptions): HookExecution =>
    fireHooks(event, input, options);

export const executePreToolHooks = fires('PreToolUse');
export const executePostToolHooks = fires('PostToolUse');
export const executePermissionRequestHooks = fires('PermissionRequest');
export const executeUserPromptSubmitHooks = fires('UserPromptSubmit');
export const executeSessionStartHooks = fires('SessionStart');
export const executeSessionEndHooks = fires('SessionEnd');
export const executeNotificationHooks = fires('Notification');
export const executeStopFailureHooks = fires('StopFailure');
export const executeTaskCreatedHooks = fires('TaskCreated');
export const executeTaskCompletedHooks = fires('TaskCompleted');
export const executeTeammateIdleHooks = fires('TeammateIdle');

/** Fields of Stop, and of SubagentStop inside a subagent. */
export type StopEventFields = HookFields<'Stop'> & {
  /** Where a subagent's own transcript is. */
  readonly agentTranscriptPath?: string;
};

/** Stop, or SubagentStop when the subject is a subagent. */
export function executeStopHooks(fields: StopEventFields, options: FireOptions): HookExecution {
  const { agentTranscriptPath = '', ...input } = fields;
  const { agentId, agentType = '' } = options.subject;
  if (agentId === undefined) return fireHooks('Stop', input, options);
  const whose = { agent_id: agentId, agent_type: agentType, agent_transcript_path: agentTranscriptPath };
  return fireHooks('SubagentStop', { ...input, ...whose }, options);
}
