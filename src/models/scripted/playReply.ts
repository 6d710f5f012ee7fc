import type { ScriptedReply } from '../../schemas/scriptedModel.ts';
import type { Clock } from '../../system/clock.ts';
import { classifyModelError } from '../errors.ts';
import type { ModelEvent, StopReason, ToolUseBlock, Usage } from '../types.ts';

/** The most pieces of a text without `chunks`. */
const USUAL_PIECES = 8;
const USUAL_TOKENS = { in: 100, out: 20 };

export interface Playing {
  /** For the `start` event. */
  readonly modelName: string;
  /** Makes this reply's ids unique. */
  readonly replyId: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Streams one scripted reply like a model. An abort ends it without a final event. */
export async function* playReply(reply: ScriptedReply, playing: Playing): AsyncGenerator<ModelEvent, void> {
  const { clock, signal, modelName, replyId } = playing;
  if (reply.delayMs) await clock.sleep(reply.delayMs, signal);
  if (signal.aborted) return;
  if (reply.error && !reply.text) return yield failed(reply.error);
  yield { type: 'start', id: `msg_${replyId}`, model: modelName };
  if (reply.thinking) {
    yield { type: 'thinking_delta', text: reply.thinking };
    yield { type: 'block', block: { type: 'thinking', thinking: reply.thinking } };
  }
  if (reply.text) {
    yield* playText(reply.text, reply.chunks, playing);
    if (signal.aborted) return;
    if (reply.error) return yield failed(reply.error);
    yield { type: 'block', block: { type: 'text', text: reply.text } };
  }
  for (const block of toolBlocks(reply, replyId)) {
    yield { type: 'tool_input_delta', id: block.id, name: block.name, text: JSON.stringify(block.input) };
    yield { type: 'block', block };
  }
  if (!signal.aborted) yield { type: 'finish', stopReason: stopReason(reply), usage: usage(reply) };
}

async function* playText(
  text: string,
  chunks: ScriptedReply['chunks'],
  { clock, signal }: Playing,
): AsyncGenerator<ModelEvent, void> {
  const { count, delayMs } = typeof chunks === 'object' ? chunks : { count: chunks, delayMs: 0 };
  let first = true;
  for (const piece of pieces(text, count)) {
    if (!first && delayMs) await clock.sleep(delayMs, signal);
    if (signal.aborted) return;
    first = false;
    yield { type: 'text_delta', text: piece };
  }
}

function failed(error: NonNullable<ScriptedReply['error']>): ModelEvent {
  const { message = 'scripted error' } = error;
  return { type: 'failed', failure: classifyModelError({ ...error, message }) };
}

/** The text split between words into at most `count` pieces. */
export function pieces(text: string, count = USUAL_PIECES): string[] {
  const words = text.match(/\s*\S+\s*$|\s*\S+/g) ?? [text];
  if (words.length <= count) return words;
  return Array.from({ length: count }, (_, i) =>
    words.slice(Math.floor((i * words.length) / count), Math.floor(((i + 1) * words.length) / count)).join(''),
  );
}

function toolBlocks({ tools = [] }: ScriptedReply, replyId: string): ToolUseBlock[] {
  return tools.map(({ name, input = {}, id }, place) => ({
    type: 'tool_use',
    id: id ?? `toolu_${replyId}_${place + 1}`,
    name,
    input,
  }));
}

function stopReason({ stop, tools }: ScriptedReply): StopReason {
  return stop ?? (tools && tools.length > 0 ? 'tool_use' : 'end_turn');
}

function usage({ usage: tokens }: ScriptedReply): Usage {
  return {
    inputTokens: tokens?.in ?? USUAL_TOKENS.in,
    outputTokens: tokens?.out ?? USUAL_TOKENS.out,
    cacheReadTokens: tokens?.cacheRead ?? 0,
    cacheWriteTokens: tokens?.cacheWrite ?? 0,
  };
}
