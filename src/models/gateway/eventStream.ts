/** One server-sent event: its name, where it has one, and its data. */
export interface StreamedEvent {
  readonly event: string | undefined;
  readonly data: string;
}

/**
 * Reads server-sent events from chunks of bytes. Unlike the specification, it keeps a last event without a blank line
 * after it: gateways close right after their last line.
 */
export class EventStreamReader {
  readonly #decoder = new TextDecoder();
  #pending = '';
  #event: string | undefined;
  #data: string[] = [];

  /** The events that these bytes complete. */
  push(bytes: Uint8Array): StreamedEvent[] {
    return this.#lines(this.#decoder.decode(bytes, { stream: true }), false);
  }

  /** The unfinished event at the end of the stream. */
  end(): StreamedEvent[] {
    const events = this.#lines(this.#decoder.decode(), true);
    const last = this.#take();
    return last ? [...events, last] : events;
  }

  #lines(text: string, atEnd: boolean): StreamedEvent[] {
    this.#pending += text;
    const events: StreamedEvent[] = [];
    let from = 0;
    for (const { index, 0: ending } of this.#pending.matchAll(/\r\n|\r|\n/g)) {
      // a carriage return at the end of a chunk may be half of a line ending
      if (ending === '\r' && index + 1 === this.#pending.length && !atEnd) break;
      const event = this.#line(this.#pending.slice(from, index));
      if (event) events.push(event);
      from = index + ending.length;
    }
    this.#pending = this.#pending.slice(from);
    if (atEnd && this.#pending !== '') this.#line(this.#pending);
    return events;
  }

  /** A blank line ends an event; any other line adds to it. */
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
