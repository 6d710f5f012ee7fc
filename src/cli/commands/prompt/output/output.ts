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

const GAVE_NO_VERDICT: ReadonlySet<string> = new Set(['hook_non_blocking_error', 'hook_error_during_execution']);

/** These events report their failed hooks together. */
const SUMMED: ReadonlySet<unknown> = new Set(['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle']);

/** A sentence for people about a warning, or about a hook that failed and did not count; undefined for everything else. */
export function warningIn(event: QueryEvent): string | undefined {
  if (event.type === 'system') return event.level === 'warning' ? event.content : undefined;
  if (event.type !== 'attachment') return undefined;
  const { type, hookEvent, hookName, command, message } = event.attachment;
  if (!GAVE_NO_VERDICT.has(type) || SUMMED.has(hookEvent)) return undefined;
  return `A ${hookName} hook gave no verdict and did not count: ${command}: ${message}`;
}
