import type { EventNormalizer } from './eventNormalizer.ts';
import { EventStreamReader, type StreamedEvent } from './eventStream.ts';
import { UnexpectedAnswer, unexpectedBody } from './objection.ts';

export interface Normalizing {
  readonly normalizer: EventNormalizer;
  /** Called once, at the end, with the unknown kinds of events. */
  readonly onSkipped: (kinds: readonly string[]) => void;
}

/** How much of an answer is kept to describe it, should it contain no event. */
const KEPT_BYTES = 4_000;

/**
 * The stream of normalized events. Canceling it cancels the source. A body without a single event is not a reply and
 * fails.
 */
export function normalizedBody(
  source: ReadableStream<Uint8Array>,
  { normalizer, onSkipped }: Normalizing,
): ReadableStream<Uint8Array> {
  const events = new EventStreamReader();
  const skipped: string[] = [];
  let opening = '';
  let hasEvents = false;
  const normalized = (taken: readonly StreamedEvent[]): string[] => {
    hasEvents ||= taken.length > 0;
    return taken.flatMap((event) => {
      const made = normalizer.take(event);
      if (made.type === 'skip' && made.unknown !== undefined) skipped.push(made.unknown);
      return made.type === 'pass' ? [made.data] : [];
    });
  };
  const encoder = new TextEncoder();
  const write = (controller: TransformStreamDefaultController<Uint8Array>, data: readonly string[]) => {
    if (data.length > 0) controller.enqueue(encoder.encode(data.map(asEvent).join('')));
  };
  const transformer = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      if (!hasEvents && opening.length < KEPT_BYTES) opening += Buffer.from(bytes).toString('latin1');
      write(controller, normalized(events.push(bytes)));
    },
    flush(controller) {
      write(controller, [...normalized(events.end()), ...normalizer.end()]);
      onSkipped(skipped);
      if (!hasEvents) throw new UnexpectedAnswer(unexpectedBody(opening.slice(0, KEPT_BYTES)));
    },
  });
  return source.pipeThrough(transformer);
}

/** Splits only at line feeds: `^` would also match after U+2028, which can be part of any text. */
const asEvent = (data: string) =>
  `${data
    .split('\n')
    .map((line) => `data: ${line}`)
    .join('\n')}\n\n`;
