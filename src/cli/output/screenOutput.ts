import type { QueryEvent } from '../../query/events.ts';
import { textOf } from '../../session/conversation.ts';
import type { AssistantMessage, UserMessage } from '../../session/messages.ts';
import type { Paint } from './colours.ts';
import { durationInWords, tokensInWords } from './durations.ts';
import type { Output } from './output.ts';
import type { ResultLine } from './resultLine.ts';
import { statusLine } from './statusLine.ts';
import type { Writer } from './writer.ts';

/** Lines of a tool's result that are shown; the transcript has the whole of it. */
const RESULT_LINES = 8;

/** For a person at a terminal: the conversation as it happens, tools with what they printed, a live status line. */
export function screenOutput(writer: Writer, paint: Paint, now: () => number): Output {
  const status = statusLine(writer, now);
  const print = (text: string) => {
    status.clear();
    writer.out(`${text}\n`);
  };
  return {
    start: (init) => print(paint('dim', `${init.model} in ${init.cwd} · session ${init.sessionId}`)),
    event: (event) => {
      const live = statusFor(event);
      if (live) status.show(live);
      const text = textFor(event, paint);
      if (text) print(text);
    },
    end: (result, endInWords) => {
      status.stop();
      writer.out(`\n${endInWords ? `${paint('yellow', endInWords)}\n` : ''}${paint('dim', totals(result))}\n`);
    },
    warn: (sentence) => print(paint('yellow', `! ${sentence}`)),
  };
}

function statusFor(event: QueryEvent): string | undefined {
  if (event.type === 'stream_request_start') return `thinking (request ${event.turnCount})`;
  if (event.type === 'tool_start') return `${event.name} ${event.summary}`;
  return undefined;
}

function textFor(event: QueryEvent, paint: Paint): string | undefined {
  if (event.type === 'assistant') return answerText(event, paint);
  if (event.type === 'tool_start')
    return `${paint('cyan', '●')} ${paint('bold', event.name)} ${oneLine(event.summary)}`;
  if (event.type === 'user') return userText(event, paint);
  if (event.type === 'system' && event.level !== 'info') return paint('yellow', `! ${event.content}`);
  return undefined;
}

function answerText(message: AssistantMessage, paint: Paint): string | undefined {
  const text = textOf(message);
  if (!text) return undefined;
  return message.apiError ? paint('red', text) : `\n${text}\n`;
}

function userText(message: UserMessage, paint: Paint): string | undefined {
  const { content } = message.message;
  if (typeof content === 'string') return undefined;
  const results = content.filter((block) => block.type === 'tool_result');
  if (results.length === 0) return message.isMeta ? metaText(content, paint) : undefined;
  return results
    .map((block) => {
      const text = typeof block.content === 'string' ? block.content : '(content)';
      const lines = shorten(text).map((line) => `  ${line}`);
      return paint(block.is_error ? 'red' : 'dim', lines.join('\n'));
    })
    .join('\n');
}

/** What the engine itself told the model: shown, so that nobody wonders why it went on. */
function metaText(content: Exclude<UserMessage['message']['content'], string>, paint: Paint): string {
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  const lines = shorten(text.replace(/<\/?system-reminder>\n?/g, '').trim());
  return paint('magenta', lines.map((line) => `↩ ${line}`).join('\n'));
}

function shorten(text: string): string[] {
  const lines = text.trimEnd().split('\n');
  if (lines.length <= RESULT_LINES) return lines;
  return [...lines.slice(0, RESULT_LINES - 1), `… ${lines.length - RESULT_LINES + 1} more lines`];
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 160);

function totals(result: ResultLine): string {
  const {
    input_tokens = 0,
    cache_read_input_tokens = 0,
    cache_creation_input_tokens = 0,
    output_tokens = 0,
  } = result.usage;
  const read = input_tokens + cache_read_input_tokens + cache_creation_input_tokens;
  const cost = result.total_cost_usd === null ? 'price unknown' : `$${result.total_cost_usd.toFixed(4)}`;
  const requests = `${result.num_turns} request${result.num_turns === 1 ? '' : 's'}`;
  return [
    result.terminal_reason ?? 'prompt blocked',
    requests,
    `${tokensInWords(read)} tokens in, ${tokensInWords(output_tokens)} out`,
    cost,
    durationInWords(result.duration_ms),
  ].join(' · ');
}
