import { LineSplitter } from '../../git/lineSplitter.ts';
import { jsonValue } from '../../schemas/jsonValue.ts';
import type { OutputForm } from '../host.ts';

/** What `--include-partial-messages` adds to Claude Code's stream: pieces of messages, and when a request is sent. */
const PIECE = /^\{"type":"(?:stream_event"|system","subtype":"status","status":"requesting")/;

/** Removes the pieces that only we requested, so that a script reads what it would have read without us. */
export const withoutPieces: OutputForm = (write) =>
  splitLines((line, end) => {
    if (!PIECE.test(line)) write(line + end);
  });

/** What the reader of a launch gets instead of the stream, by `--output-format`. */
export const FORMS: Readonly<Record<string, OutputForm>> = { text: asText, json: asJson };

type StreamEvent = Readonly<Record<string, unknown>>;

/** Only a stream contains it (Claude Code 2.1.325). */
const STREAM_ONLY = 'model_usage_since_last_result';

/** `--output-format json` from a stream: the last result, when the agent is gone. */
function asJson(write: (text: string) => void) {
  let last: StreamEvent | undefined;
  const onEvent = (event: StreamEvent) => {
    if (event.type === 'result') last = event;
  };
  return splitEvents(onEvent, write, () => {
    if (last === undefined) return;
    const { [STREAM_ONLY]: _since, ...result } = last;
    write(`${JSON.stringify(result)}\n`);
  });
}

/** Claude Code's text output from its stream: the answer of each turn, with an empty line between two. Measured on 2.1.325. */
function asText(write: (text: string) => void) {
  let printed = '';
  /** An empty answer is printed only when there was no other. */
  let empty: string | undefined;
  /** The last two texts of the main conversation. */
  let texts: readonly string[] = [];
  const onEvent = (event: StreamEvent) => {
    const text = event.type === 'assistant' && event.parent_tool_use_id === null ? textOf(event) : '';
    if (text !== '') texts = [...texts.slice(-1), text];
    if (event.type !== 'result') return;
    const answer = answerOf(event, texts);
    texts = [];
    if (answer.trim() === '') {
      empty = answer;
      return;
    }
    const gap = printed === '' ? '' : printed.endsWith('\n') ? '\n' : '\n\n';
    write(gap + answer);
    printed = answer;
  };
  return splitEvents(onEvent, write, () => {
    if (empty !== undefined && printed === '') write(empty);
  });
}

function answerOf(event: StreamEvent, [before, last]: readonly string[]): string {
  const subtype = String(event.subtype);
  const describe = Object.hasOwn(ERRORS, subtype) ? ERRORS[subtype] : undefined;
  if (describe) return describe(Array.isArray(event.errors) ? event.errors.map(String) : []);
  const result = typeof event.result === 'string' ? event.result : '';
  // an interrupted answer is not in the result, only the sentence about it
  const isCut = event.is_error === true && result.endsWith(CUT) && last === result;
  const text = isCut && before !== undefined ? `${before}\n${result}` : result;
  return text.endsWith('\n') ? text : `${text}\n`;
}

const CUT = 'The response above may be incomplete.';

/** As printed; the result itself has other sentences with the same figures. */
const ERRORS: Readonly<Record<string, (errors: readonly string[]) => string>> = {
  error_max_turns: (errors) => `Error: Reached max turns (${figureIn(errors)})`,
  error_max_budget_usd: (errors) => `Error: Exceeded USD budget (${figureIn(errors)})`,
  error_max_structured_output_retries: ([first]) =>
    `Error: ${first ?? 'Failed to provide valid structured output after maximum retries'}`,
  error_during_execution: () => 'Execution error',
};

const figureIn = (errors: readonly string[]) => /\(\$?([\d.]+)\)/.exec(errors.join(' '))?.[1] ?? '';

function textOf({ message }: StreamEvent): string {
  const { content } = (message ?? {}) as { readonly content?: unknown };
  if (!Array.isArray(content)) return '';
  const texts = content.map((block: { readonly text?: unknown } | null) => block?.text);
  return texts.filter((text) => typeof text === 'string').join('\n');
}

/** The events of a `stream-json` output; a line that is not an event passes through. */
const splitEvents = (onEvent: (event: StreamEvent) => void, write: (text: string) => void, onEnd: () => void) =>
  splitLines((line, end) => {
    if (PIECE.test(line)) return;
    const value = line.startsWith('{') ? jsonValue(line) : undefined;
    if (typeof value === 'object' && value !== null && 'type' in value) onEvent(value as StreamEvent);
    else write(line + end);
  }, onEnd);

/** Calls back with each line and its newline, which the last line may not have. */
function splitLines(onLine: (line: string, end: string) => void, onEnd = () => {}) {
  let end = '\n';
  const lines = new LineSplitter((line) => onLine(line, end));
  return {
    push: (chunk: string) => lines.push(chunk),
    end() {
      end = '';
      lines.end();
      onEnd();
    },
  };
}
