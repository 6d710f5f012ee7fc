import type { HookEventInput } from '../schemas/hookInputs.ts';
import type { HookEvent, HookEventName, HookRunner, HookSubject, HookVerdict, RequestPrompt } from './types.ts';

/**
 * One thin function per event that this agent fires: it knows the event's fields and nothing else. The common fields
 * are added by `createBaseHookInput` when the event is fired.
 */

export interface FireOptions {
  readonly runner: HookRunner;
  readonly subject: HookSubject;
  readonly signal: AbortSignal;
  /** How long a hook may take that does not say so itself; the event's own time if absent. */
  readonly timeoutMs?: number;
  /** Asks the person for a hook with `"asksUser": true`; without it such a hook gets no answer. */
  readonly requestPrompt?: RequestPrompt;
}

export type HookExecution = AsyncGenerator<HookEvent, HookVerdict>;

/** Fires any event with its own fields, checked by their types; also those this agent never fires itself. */
export function fireHooks<Name extends HookEventName>(
  event: Name,
  input: HookEventInput<Name>,
  { runner, ...options }: FireOptions,
): HookExecution {
  const fields: Readonly<Record<string, unknown>> = input;
  const { tool_use_id: id } = fields;
  return runner.run({ event, input: fields, ...options, ...(typeof id === 'string' && { toolUseId: id }) });
}

const fires =
  <Name extends HookEventName>(event: Name) =>
  (input: HookEventInput<Name>, options: FireOptions): HookExecution =>
    fireHooks(event, input, options);

export const executePreToolHooks = fires('PreToolUse');
export const executePostToolHooks = fires('PostToolUse');
export const executePostToolUseFailureHooks = fires('PostToolUseFailure');
export const executePostToolBatchHooks = fires('PostToolBatch');
export const executePermissionRequestHooks = fires('PermissionRequest');
export const executeUserPromptSubmitHooks = fires('UserPromptSubmit');
export const executeSessionStartHooks = fires('SessionStart');
export const executeSessionEndHooks = fires('SessionEnd');
export const executeSubagentStartHooks = fires('SubagentStart');
export const executeStopFailureHooks = fires('StopFailure');
export const executeTaskCreatedHooks = fires('TaskCreated');
export const executeTaskCompletedHooks = fires('TaskCompleted');
export const executeTeammateIdleHooks = fires('TeammateIdle');
export const executePreCompactHooks = fires('PreCompact');
export const executePostCompactHooks = fires('PostCompact');
export const executePreModelSwitchHooks = fires('PreModelSwitch');
export const executePostModelSwitchHooks = fires('PostModelSwitch');
export const executeNotificationHooks = fires('Notification');
export const executeMessageDisplayHooks = fires('MessageDisplay');
export const executeInstructionsLoadedHooks = fires('InstructionsLoaded');
export const executeConfigChangeHooks = fires('ConfigChange');
export const executeCwdChangedHooks = fires('CwdChanged');
export const executeFileChangedHooks = fires('FileChanged');
export const executeWorktreeCreateHooks = fires('WorktreeCreate');
export const executeWorktreeRemoveHooks = fires('WorktreeRemove');

export interface StopFacts extends HookEventInput<'Stop'> {
  /** Where a subagent's own transcript is. */
  readonly agentTranscriptPath?: string;
}

/** Stop, or SubagentStop when the subject is a subagent. */
export function executeStopHooks(facts: StopFacts, options: FireOptions): HookExecution {
  const { agentTranscriptPath = '', ...input } = facts;
  const { agentId, agentType = '' } = options.subject;
  if (agentId === undefined) return fireHooks('Stop', input, options);
  const whose = { agent_id: agentId, agent_type: agentType, agent_transcript_path: agentTranscriptPath };
  return fireHooks('SubagentStop', { ...input, ...whose }, options);
}
