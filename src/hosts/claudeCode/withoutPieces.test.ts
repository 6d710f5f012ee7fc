import { expect, it } from 'vitest';
import { WithoutPieces } from './withoutPieces.ts';

const PIECES = '{"type":"stream_event","event":{}}\n{"type":"system","subtype":"status","status":"requesting"}\n';
const OTHERS = '{"type":"system","subtype":"status","status":"compacting"}\nplain\n\n{"type":"result"}';

it('passes on everything but the pieces, however the stream is cut', () => {
  for (const size of [1, 7, 1000]) {
    let passed = '';
    const output = new WithoutPieces((text) => {
      passed += text;
    });
    const stream = PIECES + OTHERS;
    for (let at = 0; at < stream.length; at += size) output.push(stream.slice(at, at + size));
    output.end();
    expect(passed).toBe(OTHERS);
  }
});
