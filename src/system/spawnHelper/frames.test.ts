import { describe, expect, it } from 'vitest';
import { canTravel, environmentFrame, InputPieces } from './frames.ts';

describe('environmentFrame', () => {
  it.each([
    ['nothing for the same', { A: '1' }, { A: '1' }, undefined],
    ['what is new or different', { A: '1', B: '1' }, { A: '1', B: '2', C: '' }, 'B=2\0C=\0'],
    ['what is no longer there', { A: '1', B: '1' }, { B: '1' }, 'A\0'],
    ['a name that every object has', {}, { constructor: 'x' }, 'constructor=x\0'],
  ])('says %s', (_name, before, after, payload) => {
    expect(environmentFrame(before, after)?.toString('utf8', 9)).toBe(payload);
  });
});

describe('InputPieces', () => {
  const all = (input: string | undefined) => {
    const pieces = new InputPieces(input);
    const kinds: string[] = [];
    for (;;) {
      const { kind, piece } = pieces.next();
      kinds.push(`${kind}${piece.length}`);
      if (kind !== 'p') return kinds;
    }
  };

  it.each([
    ['no stdin', undefined, ['n0']],
    ['an empty one', '', ['w0']],
    ['what fits', 'x'.repeat(65_536), ['w65536']],
    ['what does not, cut by bytes', '€'.repeat(30_000), ['p65536', 'w24464']],
  ])('are cut for %s', (_name, input, kinds) => {
    expect(all(input)).toEqual(kinds);
  });
});

describe('canTravel', () => {
  const spec = { file: 'sh', args: ['-c', 'true'], cwd: '/', env: { A: '=' } };

  it.each([
    ['an ordinary command', {}, true],
    ['a NUL in an argument', { args: ['a\0b'] }, false],
    ['a NUL in the directory', { cwd: '/\0' }, false],
    ['a NUL in the environment', { env: { A: '\0' } }, false],
    ['a name of a variable that holds its end', { env: { 'A=B': '' } }, false],
    ['arguments that no kernel takes', { args: ['x'.repeat(5_000_000)] }, false],
  ])('tells %s', (_name, change, can) => {
    expect(canTravel({ ...spec, ...change })).toBe(can);
  });
});
