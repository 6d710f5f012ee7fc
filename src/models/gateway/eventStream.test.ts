import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventStreamReader, type StreamedEvent } from './eventStream.ts';

function read(...pieces: readonly (string | Uint8Array)[]): StreamedEvent[] {
  const reader = new EventStreamReader();
  const events = pieces.flatMap((piece) => reader.push(typeof piece === 'string' ? Buffer.from(piece) : piece));
  return [...events, ...reader.end()];
}

describe('EventStreamReader', () => {
  it.each<[name: string, text: string, events: readonly StreamedEvent[]]>([
    ['a named event', 'event: a\ndata: 1\n\n', [{ event: 'a', data: '1' }]],
    ['CRLF', 'event: a\r\ndata: 1\r\n\r\n', [{ event: 'a', data: '1' }]],
    ['CR alone', 'data: 1\r\rdata: 2\r\r', [dataOnly('1'), dataOnly('2')]],
    ['comments', ': keep-alive\n\ndata: 1\n: more\n\n', [dataOnly('1')]],
    ['data on several lines', 'data: {\ndata: }\n\n', [dataOnly('{\n}')]],
    ['no blank after the colon', 'data:1\n\n', [dataOnly('1')]],
    ['no blank line at the end', 'data: 1\n\ndata: 2\n', [dataOnly('1'), dataOnly('2')]],
    ['no line ending at the end', 'data: 1\n\ndata: 2', [dataOnly('1'), dataOnly('2')]],
    ['ids, retries and unknown fields', 'id: 7\nretry: 10\nother: x\ndata: 1\n\n', [dataOnly('1')]],
    ['an event without data', 'event: a\n\ndata: 1\n\n', [dataOnly('1')]],
    ['a byte order mark', '\uFEFFdata: 1\n\n', [dataOnly('1')]],
    ['nothing', '', []],
  ])('reads %s', (_, text, events) => {
    expect(read(text)).toEqual(events);
  });

  it('reads the same however the bytes are cut', () => {
    const text = 'event: a\r\ndata: "grüße 🎉"\r\n\r\n: x\ndata: 日本\n\ndata: 2\r\r';
    const bytes = new Uint8Array(Buffer.from(text));
    void fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 12 }), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        expect(read(...pieces)).toEqual(read(bytes));
      }),
    );
  });
});

function dataOnly(data: string): StreamedEvent {
  return { event: undefined, data };
}
