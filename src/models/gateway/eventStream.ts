/** One server-sent event: its name, where it has one, and its data. */
export interface StreamedEvent {
  readonly event: string | undefined;
  readonly data: string;
}

/**
 * Reads server-sent events from bytes as they come: any line ending, characters cut in two, comments, events without a
 * name. What the specification would discard at the end (an event without the blank line after it) is still an event:
 * gateways close right after their last line.
 */
export class EventStreamReader {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #event: string | undefined;
  #data: string[] = [];

  /** The events that are complete with these bytes. */
  push(bytes: Uint8Array): StreamedEvent[] {
    return this.#lines(this.#decoder.decode(bytes, { stream: true }), false);
  }

  /** The event that the stream ended in, if it did. */
  end(): StreamedEvent[] {
    const events = this.#lines(this.#decoder.decode(), true);
    const last = this.#take();
    return last ? [...events, last] : events;
  }

  #lines(text: string, atEnd: boolean): StreamedEvent[] {
    this.#rest += text;
    const events: StreamedEvent[] = [];
    let from = 0;
    for (const { index, 0: ending } of this.#rest.matchAll(/\r\n|\r|\n/g)) {
      // a carriage return at the end of a piece may be the first half of a line ending
      if (ending === '\r' && index + 1 === this.#rest.length && !atEnd) break;
      const event = this.#line(this.#rest.slice(from, index));
      if (event) events.push(event);
      from = index + ending.length;
    }
    this.#rest = this.#rest.slice(from);
    if (atEnd && this.#rest !== '') this.#line(this.#rest);
    return events;
  }

  /** A blank line ends an event; any other one adds to it. */
  #line(line: string): StreamedEvent | undefined {
    if (line === '') return this.#take();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.#data.push(value);
    if (field === 'event') this.#event = value;
    return undefined;
  }

  #take(): StreamedEvent | undefined {
    const taken = this.#data.length > 0 ? { event: this.#event, data: this.#data.join('\n') } : undefined;
    this.#event = undefined;
    this.#data = [];
    return taken;
  }
}
