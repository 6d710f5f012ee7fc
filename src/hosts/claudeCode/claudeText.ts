import type { FormedOutput } from '../outputForms.ts';
import { type StreamEvent, streamLines } from '../streamLines.ts';

/** Claude Code's text output from its stream: the answer of each turn, an empty line between two. Measured on 2.1.325. */
export class ClaudeText implements FormedOutput {
  readonly #write: (text: string) => void;
  readonly #lines;
  #printed = '';
  /** An empty answer is printed only when no other came. */
  #empty: string | undefined;
  /** The last two texts of the main conversation. */
  #answers: readonly string[] = [];

  constructor(write: (text: string) => void) {
    this.#write = write;
    this.#lines = streamLines((event) => this.#read(event), write);
  }

  push(chunk: string): void {
    this.#lines.push(chunk);
  }

  end(): void {
    this.#lines.end();
    if (this.#empty !== undefined && this.#printed === '') this.#write(this.#empty);
  }

  #read(event: StreamEvent): void {
    if (event.type === 'assistant' && event.parent_tool_use_id === null) this.#remember(textOf(event));
    if (event.type !== 'result') return;
    const text = this.#answerOf(event);
    this.#answers = [];
    if (text.trim() === '') this.#empty = text;
    else this.#print(text);
  }

  #remember(text: string): void {
    if (text !== '') this.#answers = [...this.#answers.slice(-1), text];
  }

  #answerOf(event: StreamEvent): string {
    const words = Object.hasOwn(ERRORS, String(event.subtype)) ? ERRORS[String(event.subtype)] : undefined;
    if (words) return words(errorsOf(event));
    const result = typeof event.result === 'string' ? event.result : '';
    const [before, last] = this.#answers;
    // an answer that broke off is not in the result, only the sentence that says so
    const isCut = event.is_error === true && result.endsWith(CUT) && last === result;
    return endedByNewline(isCut && before !== undefined ? `${before}\n${result}` : result);
  }

  #print(text: string): void {
    const gap = this.#printed === '' ? '' : this.#printed.endsWith('\n') ? '\n' : '\n\n';
    this.#write(gap + text);
    this.#printed = text;
  }
}

const CUT = 'The response above may be incomplete.';

type Words = (errors: readonly string[]) => string;

/** The result's own sentences are other ones, with the same figures. */
const ERRORS: Readonly<Record<string, Words>> = {
  error_max_turns: (errors) => `Error: Reached max turns (${figureIn(errors)})`,
  error_max_budget_usd: (errors) => `Error: Exceeded USD budget (${figureIn(errors)})`,
  error_max_structured_output_retries: ([first]) =>
    `Error: ${first ?? 'Failed to provide valid structured output after maximum retries'}`,
  error_during_execution: () => 'Execution error',
};

const figureIn = (errors: readonly string[]) => /\(\$?([\d.]+)\)/.exec(errors.join(' '))?.[1] ?? '';

function errorsOf({ errors }: StreamEvent): readonly string[] {
  return Array.isArray(errors) ? errors.map(String) : [];
}

function textOf({ message }: StreamEvent): string {
  const { content } = (message ?? {}) as { readonly content?: unknown };
  if (!Array.isArray(content)) return '';
  const texts = content.map((block: { readonly text?: unknown } | null) => block?.text);
  return texts.filter((text) => typeof text === 'string').join('\n');
}

const endedByNewline = (text: string) => (text.endsWith('\n') ? text : `${text}\n`);
