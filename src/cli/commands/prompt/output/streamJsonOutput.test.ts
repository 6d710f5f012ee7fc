import { expect, it } from 'vitest';
import type { QueryEvent } from '../../../../query/events.ts';
import { streamJsonOutput } from './streamJsonOutput.ts';

function recorded() {
  const written: string[] = [];
  const out = (text: string) => void written.push(text);
  const writer = { out, err: out, outIsTerminal: false, errIsTerminal: false, columns: 80, raw: { out, err: out } };
  const options = { sessionId: () => 's', includePartialMessages: false, includeHookEvents: true };
  return { written, output: streamJsonOutput(writer, options) };
}

const event = (n: number): QueryEvent => ({ type: 'hook_progress', data: { type: 'hook_started', n } });
const numbers = (text: string | undefined) =>
  text
    ?.trim()
    .split('\n')
    .map((line) => JSON.parse(line).n);

it('writes lines in one batch, through any number of settled promises', async () => {
  const { written, output } = recorded();
  await null;
  output.event(event(1));
  for (let hop = 0; hop < 20; hop++) await null;
  output.event(event(2));
  expect(written).toEqual([]);
  await new Promise(setImmediate);
  expect(written.map(numbers)).toEqual([[1, 2]]);
  output.event(event(3));
  await new Promise(setImmediate);
  expect(written.slice(1).map(numbers)).toEqual([[3]]);
});

it('writes a warning immediately, and keeps the order', () => {
  const { written, output } = recorded();
  output.event(event(1));
  output.warn('Careful.');
  expect(written).toHaveLength(1);
  expect(written[0]).toMatch(/"n":1.*\n.*Careful/);
});
