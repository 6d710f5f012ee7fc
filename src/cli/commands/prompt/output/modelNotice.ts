import type { QueryEvent } from '../../../../query/events.ts';
import type { Writer } from '../../../../system/writer.ts';

const SUBTYPES: ReadonlySet<string> = new Set(['model_notice', 'model_fallback']);

/** What a model's server refused or sent is on stderr in every format: it says why requests differ from what is documented. */
export function showNotice(event: QueryEvent, writer: Writer): void {
  if (event.type === 'system' && SUBTYPES.has(event.subtype)) writer.err(`stopgate: ${event.content}\n`);
}
