import type { FormedOutput } from '../outputForms.ts';
import { type StreamEvent, streamLines } from '../streamLines.ts';

/** Only a stream carries it (Claude Code 2.1.325). */
const STREAM_ONLY = 'model_usage_since_last_result';

/** `--output-format json` from a stream: the last result, when the agent is gone. */
export class ClaudeJson implements FormedOutput {
  readonly #lines;
  readonly #write;
  #last: StreamEvent | undefined;

  constructor(write: (text: string) => void) {
    this.#write = write;
    this.#lines = streamLines((event) => {
      if (event.type === 'result') this.#last = event;
    }, write);
  }

  push(chunk: string): void {
    this.#lines.push(chunk);
  }

  end(): void {
    this.#lines.end();
    if (this.#last === undefined) return;
    const { [STREAM_ONLY]: _since, ...result } = this.#last;
    this.#write(`${JSON.stringify(result)}\n`);
  }
}
