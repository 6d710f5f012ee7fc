import type { QueryEvent } from '../../../../query/events.ts';
import type { Writer } from '../../../../system/writer.ts';
import type { ResultLine } from './resultLine.ts';

/** What is known about a session before it starts, in the fields of stream-json. */
export interface SessionInit extends Readonly<Record<string, unknown>> {
  readonly cwd: string;
  readonly session_id: string;
  readonly model: string;
}

/** An output format. It gets everything in order and decides what to show. */
export interface Output {
  /** Before each prompt. */
  start(init: SessionInit): void;
  event(event: QueryEvent): void;
  /** A turn has ended and another one follows. */
  turnEnd(result: ResultLine): void;
  end(result: ResultLine, endText: string): void;
  /** A warning without a message: a broken settings entry, a transcript that cannot be written. */
  warn(sentence: string): void;
}

const NOTICES: ReadonlySet<string> = new Set(['model_notice', 'model_fallback']);

/** Prints adaptations to a model's server to stderr in every format: they explain why requests differ from the docs. */
export function showNotice(event: QueryEvent, writer: Writer): void {
  if (event.type === 'system' && NOTICES.has(event.subtype)) writer.err(`stopgate: ${event.content}\n`);
}
