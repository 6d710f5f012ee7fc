import { eventFacts } from './events/eventTable.ts';
import type { HookEventName, HookSubject } from './types.ts';

/** The fields that every hook gets, named as the protocol names them. */
export function createBaseHookInput(subject: HookSubject, event: HookEventName): Readonly<Record<string, unknown>> {
  const { sessionId, transcriptPath, cwd, permissionMode, promptId, agentId, agentType, effort } = subject;
  const { hasPermissionMode, hasEffort } = eventFacts(event);
  return {
    session_id: sessionId,
    transcript_path: transcriptPath,
    cwd,
    ...(promptId !== undefined && { prompt_id: promptId }),
    ...(permissionMode !== undefined && hasPermissionMode && { permission_mode: permissionMode }),
    ...(agentId !== undefined && { agent_id: agentId }),
    ...(agentType !== undefined && { agent_type: agentType }),
    ...(effort !== undefined && hasEffort && { effort: { level: effort } }),
    hook_event_name: event,
  };
}
