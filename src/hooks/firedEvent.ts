import { entryKey, type HookEngine } from './engine.ts';
import { eventFacts } from './events/eventTable.ts';
import type { FiredEvent, MessageSource } from './kind.ts';
import { asText } from './kinds/template.ts';
import { type Selected, selectHooks } from './select.ts';
import type { HookEventName, HookRequest, HookSubject } from './types.ts';

/** A request as hooks see it; serialized when the first of them needs it. */
export function firedEvent(request: HookRequest): FiredEvent {
  const { event: name, input: own, subject, toolUseId, timeoutMs, requestPrompt } = request;
  const row = eventFacts(name);
  const input = { ...createBaseHookInput(subject, name), ...own };
  const value = row.matchValue(input);
  const title = value === undefined ? name : `${name}:${value}`;
  return withInput({ name, title, row, subject, toolUseId, timeoutMs, requestPrompt }, input);
}

function withInput(facts: Omit<FiredEvent, 'input' | 'json'>, input: FiredEvent['input']): FiredEvent {
  let json: string | undefined;
  return {
    ...facts,
    input,
    get json() {
      json ??= JSON.stringify(input);
      return json;
    },
  };
}

/** The event as one hook gets it: with fields of its own, if there are any. */
export function eventFor(event: FiredEvent, own: Readonly<Record<string, unknown>> | undefined): FiredEvent {
  if (own === undefined) return event;
  // without the getter, which would serialize the shared input
  const { name, title, row, subject, toolUseId, timeoutMs, requestPrompt } = event;
  const facts = { name, title, row, subject, toolUseId, timeoutMs, requestPrompt };
  return withInput(facts, { ...event.input, ...own });
}

/** Which hooks of the event run, and why the others do not: what `hooks explain` shows and what is then run. */
export function selectFor(event: FiredEvent, engine: HookEngine): readonly Selected[] {
  return selectHooks(engine.byEvent.get(event.name) ?? [], {
    row: event.row,
    input: event.input,
    matchesRule: engine.matchesRule,
    lastText: (source) => lastTextFor(event, engine, source),
    spent: (hook) => engine.spent.has(entryKey(hook)),
    canRun: (kind) => engine.kinds.has(kind),
  });
}

/** From the event's own fields if possible: `hooks test` has no session. */
export function lastTextFor(event: FiredEvent, engine: HookEngine, source: MessageSource): string | undefined {
  const field = event.input[FIELD_OF[source]];
  return field === undefined ? engine.lastText(source, event.subject) : asText(field);
}

const FIELD_OF = { assistant: 'last_assistant_message', user: 'prompt', tool_result: 'tool_response' } as const;

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
