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
  const reader = source.getReader();
  const events = new EventStreamReader();
  const encoder = new TextEncoder();
  const skipped: string[] = [];
  let opening = '';
  let hasEvents = false;
  const written = (taken: readonly StreamedEvent[]) => {
    let text = '';
    for (const event of taken) {
      const made = normalizer.take(event);
      hasEvents = true;
      if (made.type === 'pass') text += asEvent(made.data);
      else if (made.unknown !== undefined) skipped.push(made.unknown);
    }
    return text;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // a chunk may complete no event, and a pull that adds nothing is not repeated
        for (let text = ''; text === ''; ) {
          const { done, value } = await reader.read();
          if (value && !hasEvents && opening.length < KEPT_BYTES) opening += Buffer.from(value).toString('latin1');
          text = written(done ? events.end() : events.push(value));
          if (done) text += normalizer.end().map(asEvent).join('');
          if (text !== '') controller.enqueue(encoder.encode(text));
          if (!done) continue;
          onSkipped(skipped);
          if (!hasEvents) throw new UnexpectedAnswer(unexpectedBody(opening.slice(0, KEPT_BYTES)));
          return controller.close();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Splits only at line feeds: `^` would also match after U+2028, which can be part of any text. */
const asEvent = (data: string) =>
  `${data
    .split('\n')
    .map((line) => `data: ${line}`)
    .join('\n')}\n\n`;
