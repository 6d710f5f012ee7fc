import type { ToolUseBlock } from '../../../../models/types.ts';
import type { QueryEvent } from '../../../../query/events.ts';
import { textOf } from '../../../../session/conversation.ts';
import type { AssistantMessage, UserMessage } from '../../../../session/messages.ts';
import { formatDuration } from '../../../../system/formatDuration.ts';
import { formatTokens } from '../../../../system/formatTokens.ts';
import { ownValue } from '../../../../system/ownValue.ts';
import type { Writer } from '../../../../system/writer.ts';
import type { Paint } from '../../../output/colors.ts';
import { paintedOutcome, STOP_OUTCOMES } from '../../../output/outcomes.ts';
import { statusLine } from '../../../output/statusLine.ts';
import { hookStatus } from './hookStatus.ts';
import { type Output, warningIn } from './output.ts';
import type { ResultLine } from './resultLine.ts';

/** Shown lines of a tool's result; the transcript has all of it. */
const RESULT_LINES = 8;

/** For a terminal: the conversation as it happens, tools with their output, and a status line. */
export function screenOutput(writer: Writer, paint: Paint, now: () => number): Output {
  const status = statusLine(writer, now);
  const live = liveStatus();
  // each call is shown with its own result, also when several run in parallel
  const headings = new Map<string, string>();
  let started = false;
  let lastText = '';
  const print = (text: string) => {
    status.clear();
    writer.out(`${text}\n`);
  };
  return {
    start: (init) => {
      if (!started) print(paint('dim', `${init.model} in ${init.cwd} · session ${init.session_id}`));
      started = true;
    },
    event: (event) => {
      const now = live(event);
      if (now) status.show(now);
      if (event.type === 'assistant') {
        for (const block of event.message.content)
          if (block.type === 'tool_use') headings.set(block.id, headingOf(block, paint));
      }
      if (event.type === 'tool_start') {
        headings.set(event.toolUseId, `${paint('cyan', '●')} ${paint('bold', event.name)} ${oneLine(event.summary)}`);
      }
      const text = textFor(event, paint, headings);
      if (text) print(text);
      if (event.type === 'assistant') lastText = textOf(event);
    },
    turnEnd: () => status.clear(),
    end: (result, endText) => {
      status.stop();
      // an error was already shown as the text of the answer
      const shown = endText === lastText ? '' : endText;
      writer.out(`\n${shown ? `${paint('yellow', shown)}\n` : ''}${paint('dim', totals(result))}\n`);
    },
    warn: (sentence) => print(paint('yellow', `! ${sentence}`)),
  };
}

/** The status line: the running call, the running hooks, or the latest words of the answer. */
function liveStatus(): (event: QueryEvent) => string | undefined {
  let answer = '';
  const hooks = hookStatus();
  return (event) => {
    if (event.type === 'hook_progress') return hooks(event);
    if (event.type === 'tool_start') return `${event.name} ${oneLine(event.summary)}`;
    if (event.type === 'stream_request_start') {
      answer = '';
      return `thinking (request ${event.turnCount})`;
    }
    if (event.type !== 'stream_event' || event.event.type !== 'text_delta') return undefined;
    answer = `${answer}${event.event.text}`.slice(-200);
    return oneLine(answer).slice(-70);
  };
}

function textFor(event: QueryEvent, paint: Paint, headings: ReadonlyMap<string, string>): string | undefined {
  if (event.type === 'assistant') return answerText(event, paint);
  // without a continuation it was printed to stderr when the session started
  if (event.type === 'token_budget' && event.continuationCount > 0) return paint('magenta', budgetText(event));
  if (event.type === 'user') return userText(event, paint, headings);
  if (event.type === 'submitted') {
    return event.messages.flatMap((message) => userText(message, paint, headings) ?? []).join('\n');
  }
  const failed = event.type === 'attachment' ? warningIn(event) : undefined;
  if (failed !== undefined) return paintedOutcome('no verdict', paint, failed);
  if (event.type !== 'system') return undefined;
  const outcome = ownValue(STOP_OUTCOMES, event.subtype);
  if (outcome !== undefined) return paintedOutcome(outcome, paint, event.content);
  if (event.subtype === 'stop_hook_summary') return paint('dim', `⏹ ${event.content}`);
  if (event.level === 'notice') return paint('magenta', `⏹ ${event.content}`);
  // a denial is shown with the result of its call
  const isShown = event.subtype !== 'permission_denied' && event.level !== 'info';
  return isShown ? paint('yellow', `! ${event.content}`) : undefined;
}

function answerText(message: AssistantMessage, paint: Paint): string | undefined {
  const text = message.displayText ?? textOf(message);
  if (!text) return undefined;
  return message.apiError ? paint('red', text) : `\n${text}\n`;
}

function userText(message: UserMessage, paint: Paint, headings: ReadonlyMap<string, string>): string | undefined {
  const { content } = message.message;
  if (typeof content === 'string') return undefined;
  const results = content.filter((block) => block.type === 'tool_result');
  if (results.length === 0) return message.isMeta ? metaText(content, paint) : undefined;
  return results
    .map((block) => {
      const text = typeof block.content === 'string' ? block.content : '(content)';
      const lines = shorten(text).map((line) => `  ${line}`);
      const heading = headings.get(block.tool_use_id) ?? `${paint('red', '●')} ${block.tool_name}`;
      return `${heading}\n${paint(block.is_error ? 'red' : 'dim', lines.join('\n'))}`;
    })
    .join('\n');
}

/** Messages of the engine to the model, which explain why it continued. */
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

/** `42% of 500k tokens, 3 continuations`. */
function budgetText({ pct, budget, continuationCount }: Extract<QueryEvent, { type: 'token_budget' }>): string {
  const times = `${continuationCount} continuation${continuationCount === 1 ? '' : 's'}`;
  return `↩ ${pct}% of ${formatTokens(budget)} tokens, ${times}`;
}

/** The heading of a call that never started (denied or unknown): its first text argument. */
function headingOf({ name, input }: ToolUseBlock, paint: Paint): string {
  const fields = typeof input === 'object' && input !== null ? Object.values(input) : [];
  const argument = fields.find((value) => typeof value === 'string') ?? '';
  return `${paint('red', '●')} ${paint('bold', name)} ${oneLine(String(argument))}`;
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 160);

function totals(result: ResultLine): string {
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = result.usage;
  const read = input_tokens + cache_read_input_tokens + cache_creation_input_tokens;
  const cost = result.total_cost_usd === null ? 'price unknown' : `$${result.total_cost_usd.toFixed(4)}`;
  return [
    result.terminal_reason ?? 'no turn',
    `${result.num_requests} request${result.num_requests === 1 ? '' : 's'}`,
    `${formatTokens(read)} tokens in, ${formatTokens(output_tokens)} out`,
    result.estimated_requests === undefined ? cost : `${cost} (partly estimated)`,
    formatDuration(result.duration_ms),
  ].join(' · ');
}
