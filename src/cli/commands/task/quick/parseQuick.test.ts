import { expect, it } from 'vitest';
import { CLAIM_FLAGS, FAIL_FLAGS } from '../taskOptions.ts';
import { parseQuick } from './parseQuick.ts';

it.each([
  ['nothing', [], { words: [], flags: {} }],
  ['words and flags', ['k3v9', '--epoch', '2'], { words: ['k3v9'], flags: { epoch: '2' } }],
  ['values behind =', ['--error=a=b', '--epoch=2'], { words: [], flags: { error: 'a=b', epoch: '2' } }],
  ['values that look like flags', ['--error', '-'], { words: [], flags: { error: '-' } }],
  ['switches', ['--final', 'k3v9'], { words: ['k3v9'], flags: { final: true } }],
  ['names of two words', ['--retry-after', '5m'], { words: [], flags: { retryAfter: '5m' } }],
  ['what stands behind --', ['--', '--final'], { words: ['--final'], flags: {} }],
])('reads %s', (_what, args, expected) => {
  expect(parseQuick(args, FAIL_FLAGS)).toEqual(expected);
});

it('collects what may be repeated', () => {
  expect(parseQuick(['--type', 'a,b', '--type', 'c'], CLAIM_FLAGS)?.flags).toEqual({ type: ['a', 'b', 'c'] });
});

it.each([[['--help']], [['-h']], [['--unknown']], [['--error']], [['--final=yes']], [['--debug']]])(
  'leaves %j to the full command',
  (args) => {
    expect(parseQuick(args, FAIL_FLAGS)).toBeNull();
  },
);
