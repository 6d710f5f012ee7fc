import { isMessage, type QueryEvent } from '../../../../query/events.ts';
import { perBlock } from '../../../../session/messageBlocks.ts';
import type { Message } from '../../../../session/messages.ts';
import { systemIds } from '../../../../system/ids.ts';
import type { Writer } from '../../../../system/writer.ts';
import { type Output, showNotice } from './output.ts';
import { partialEvents } from './partialEvents.ts';
import { usageFields } from './resultLine.ts';

export interface StreamJsonOptions {
  readonly sessionId: () => string;
  readonly includePartialMessages: boolean;
  readonly includeHookEvents: boolean;
}

/** One JSON object per line, with the message types of Claude Code's stream. */
export function streamJsonOutput(writer: Writer, options: StreamJsonOptions): Output {
  const { gather, line } = gatheredLines(writer);
  let model = '';
  const partial = partialLines(options, () => model);
  return {
    start: (init) => {
      model = init.model;
      line({ type: 'system', subtype: 'init', ...init, uuid: systemIds.uuid() });
    },
    event: (event) => {
      showNotice(event, writer);
      for (const value of partial(event)) gather(value);
      for (const one of eventsOf(event)) {
        const value = lineFor(one, options);
        if (value) gather(value);
      }
    },
    turnEnd: line,
    end: line,
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

/** The pieces of an answer as they arrive, with `--include-partial-messages`. */
function partialLines({ sessionId, includePartialMessages }: StreamJsonOptions, model: () => string) {
  const partial = partialEvents(model);
  const eventsIn = (event: QueryEvent) => {
    if (event.type === 'stream_event') return partial.piece(event);
    if (event.type === 'assistant') return partial.whole(event);
    if (event.type === 'tombstone') partial.withdraw();
    return [];
  };
  return (event: QueryEvent): readonly object[] => {
    if (!includePartialMessages) return [];
    const common = { session_id: sessionId(), parent_tool_use_id: null };
    return eventsIn(event).map((one) => ({ type: 'stream_event', event: one, ...common, uuid: systemIds.uuid() }));
  };
}

/** One line per content block of an answer, also of a subagent's. */
function eventsOf(event: QueryEvent): readonly QueryEvent[] {
  if (event.type === 'assistant') return event.message.content.length === 0 ? [] : perBlock(event);
  if (event.type !== 'progress' || event.data.type !== 'agent_message') return [event];
  return perBlock(event.data.message as Message).map((message) => ({ ...event, data: { ...event.data, message } }));
}

function lineFor(event: QueryEvent, options: StreamJsonOptions): object | undefined {
  const session_id = options.sessionId();
  const common = { session_id, parent_tool_use_id: null };
  if (event.type === 'stream_event') return undefined;
  if (event.type === 'tombstone') {
    return options.includePartialMessages ? { type: 'tombstone', uuid: event.message.uuid, ...common } : undefined;
  }
  if (event.type === 'progress') {
    // a subagent's messages belong to the call that started it; other progress is for terminals
    if (event.data.type !== 'agent_message') return undefined;
    return messageLine(event.data.message as Message, { session_id, parent_tool_use_id: event.toolUseId });
  }
  if (event.type === 'hook_progress') {
    // from the hook engine, which reports only what was requested, and always SessionStart; Claude Code does not have the last
    const { type: subtype, isBlocking: _screensOnly, ...fields } = event.data;
    return { type: 'system', subtype, ...fields, uuid: systemIds.uuid(), session_id };
  }
  if (event.type === 'tool_use_summary') return { ...event, ...common };
  if (event.type === 'token_budget') return { ...event, type: 'system', subtype: 'token_budget_progress', ...common };
  // the result line has it
  if (event.type === 'system' && event.subtype === 'turn_end') return undefined;
  return isMessage(event) ? messageLine(event, common) : undefined;
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
