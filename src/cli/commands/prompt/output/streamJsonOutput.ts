import type { QueryEvent } from '../../../../query/events.ts';
import { perBlock } from '../../../../session/messageBlocks.ts';
import type { Message } from '../../../../session/messages.ts';
import { systemIds } from '../../../../system/ids.ts';
import type { Writer } from '../../../../system/writer.ts';
import { type Output, showNotice } from './output.ts';
import { usageFields } from './resultLine.ts';

export interface StreamJsonOptions {
  readonly sessionId: () => string;
  readonly includePartialMessages: boolean;
  readonly includeHookEvents: boolean;
}

/** One JSON object per line, with the message types of Claude Code's stream. */
export function streamJsonOutput(writer: Writer, options: StreamJsonOptions): Output {
  const { gather, line } = gatheredLines(writer);
  return {
    start: (init) =>
      line({
        type: 'system',
        subtype: 'init',
        cwd: init.cwd,
        session_id: init.sessionId,
        tools: init.tools,
        mcp_servers: init.mcpServers,
        model: init.model,
        permissionMode: init.permissionMode,
        slash_commands: init.commands,
        apiKeySource: init.keySource,
        stopgate_version: init.version,
        output_style: 'default',
        agents: init.agents,
        skills: init.skills,
        plugins: [],
        additional_directories: init.additionalDirectories,
        uuid: systemIds.uuid(),
      }),
    event: (event) => {
      showNotice(event, writer);
      for (const one of eventsOf(event)) {
        const value = lineFor(one, options);
        if (value) gather(value);
      }
    },
    turnEnd: (result) => line(result),
    end: (result) => line(result),
    warn: (content) => {
      const session_id = options.sessionId();
      line({ type: 'system', subtype: 'informational', level: 'warning', content, session_id });
    },
  };
}

/** Batches lines until settled promises have run: ten hooks that end together cost one write instead of ten. */
function gatheredLines(writer: Writer) {
  let gathered = '';
  const flush = () => {
    const lines = gathered;
    gathered = '';
    if (lines !== '') writer.out(lines);
  };
  // an error that ends the process must not lose them
  process.once('exit', flush);
  return {
    gather: (value: object) => {
      if (gathered === '') process.nextTick(flush);
      gathered += `${JSON.stringify(value)}\n`;
    },
    /** Writes immediately, after the gathered lines. */
    line: (value: object) => {
      gathered += `${JSON.stringify(value)}\n`;
      flush();
    },
  };
}

/** One line per content block of an answer, also of a subagent's. */
function eventsOf(event: QueryEvent): readonly QueryEvent[] {
  if (event.type === 'assistant') return event.message.content.length === 0 ? [] : perBlock(event);
  if (event.type !== 'progress' || event.data.type !== 'agent_message') return [event];
  return perBlock(event.data.message as Message).map((message) => ({ ...event, data: { ...event.data, message } }));
}

function lineFor(event: QueryEvent, options: StreamJsonOptions): object | undefined {
  const common = { session_id: options.sessionId(), parent_tool_use_id: null };
  if (event.type === 'stream_event' || event.type === 'tombstone') {
    if (!options.includePartialMessages) return undefined;
    if (event.type === 'tombstone') return { type: 'tombstone', uuid: event.message.uuid, ...common };
    return { type: 'stream_event', event: event.event, uuid: event.messageUuid, ...common };
  }
  if (event.type === 'progress') return progressLine(event.data, event.toolUseId, options);
  // the hook engine reports only what was requested, and always SessionStart
  if (event.type === 'hook_progress') return hookLine(event.data, options);
  if (event.type === 'tool_use_summary') return { ...event, ...common };
  if (event.type === 'token_budget') return { ...event, type: 'system', subtype: 'token_budget_progress', ...common };
  // the result line has it
  if (event.type === 'system' && event.subtype === 'turn_end') return undefined;
  if (isMessage(event)) return messageLine(event, common);
  return undefined;
}

/** A subagent's messages belong to the call that started it; other progress is for terminals. */
function progressLine(data: Readonly<Record<string, unknown>>, toolUseId: string, options: StreamJsonOptions) {
  if (data.type !== 'agent_message') return undefined;
  return messageLine(data.message as Message, { session_id: options.sessionId(), parent_tool_use_id: toolUseId });
}

/** `hook_started`, `hook_progress` and `hook_response`, unchanged from the hook engine. */
function hookLine(data: Readonly<Record<string, unknown>>, { sessionId }: StreamJsonOptions): object {
  const { type: subtype, ...fields } = data;
  return { type: 'system', subtype, ...fields, uuid: systemIds.uuid(), session_id: sessionId() };
}

function messageLine(message: Message, common: { session_id: string; parent_tool_use_id: string | null }): object {
  const { uuid } = message;
  if (message.type === 'system') {
    const { subtype, content, level, data } = message;
    return { type: 'system', subtype, content, level, ...data, uuid, session_id: common.session_id };
  }
  if (message.type === 'attachment') {
    const { attachment } = message;
    return { type: 'system', subtype: 'attachment', attachment, uuid, session_id: common.session_id };
  }
  if (message.type === 'user') {
    const { isMeta, toolUseResult } = message;
    const result = toolUseResult === undefined ? {} : { tool_use_result: toolUseResult };
    return { type: 'user', message: message.message, ...common, ...(isMeta ? { isMeta } : {}), ...result, uuid };
  }
  const { usage, ...rest } = message.message;
  const error = message.apiError ? { error: message.apiError } : {};
  const body = { type: 'message', ...rest, usage: usageFields(usage) };
  return { type: 'assistant', message: body, ...common, ...error, uuid };
}

const MESSAGE_TYPES: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'attachment']);
const isMessage = (event: QueryEvent): event is Message => MESSAGE_TYPES.has(event.type);
