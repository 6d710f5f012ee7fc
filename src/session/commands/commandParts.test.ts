import { describe, expect, it } from 'vitest';
import { commandParts, fillArguments } from './fillArguments.ts';

const shells = (text: string, args: string) =>
  commandParts(text, args).flatMap((part) => (part.type === 'shell' ? [part.command] : []));

describe('commandParts', () => {
  it('finds the commands of the file, with their arguments', () => {
    expect(commandParts('Look: !`git log $0` and $1', 'main now')).toEqual([
      { type: 'text', text: 'Look: ' },
      { type: 'shell', command: 'git log main', written: '!`git log $0`' },
      { type: 'text', text: ' and now' },
    ]);
  });

  it.each(['!`touch x`', 'a !`touch x` b', '` !`touch x`'])('an argument %j is text', (args) => {
    expect(shells('Review: $ARGUMENTS', args)).toEqual([]);
    expect(shells('Review', args)).toEqual([]);
    expect(shells('!`git diff`', args)).toEqual(['git diff']);
  });

  it.each([
    ['Review: $ARGUMENTS', 'a b'],
    ['Review', 'a b'],
    ['Review', ''],
    ['$1 before $0', 'a b'],
  ])('%j with %j reads as fillArguments has it', (text, args) => {
    const parts = commandParts(text, args).map((part) => (part.type === 'text' ? part.text : part.written));
    expect(parts.join('')).toBe(fillArguments(text, args));
  });
});
