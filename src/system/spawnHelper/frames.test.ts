import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { canTravel, environmentFrame, inputSource } from './frames.ts';

describe('environmentFrame', () => {
  it.each([
    ['nothing for the same', { A: '1' }, { A: '1' }, undefined],
    ['what is new or different', { A: '1', B: '1' }, { A: '1', B: '2', C: '' }, 'B=2\0C=\0'],
    ['what is no longer there', { A: '1', B: '1' }, { B: '1' }, 'A\0'],
    ['a name that every object has', {}, { constructor: 'x' }, 'constructor=x\0'],
  ])('encodes %s', (_name, before, after, payload) => {
    expect(environmentFrame(before, after)?.toString('utf8', 9)).toBe(payload);
  });
});

describe('inputSource', () => {
  const all = async (input: string | Readable | undefined) => {
    const source = inputSource(input);
    const kinds: string[] = [];
    for (let next = source.first(); ; next = await source.next()) {
      kinds.push(`${next.kind}${next.piece.length}`);
      if (next.kind !== 'p') return kinds;
    }
  };
  const bytes = (count: number) => Readable.from([Buffer.alloc(count)], { objectMode: false });
  const broken = () =>
    new Readable({
      read() {
        this.destroy(new Error('the disk is gone'));
      },
    });

  it.each([
    ['no stdin', undefined, ['n0']],
    ['an empty one', '', ['w0']],
    ['what fits', 'x'.repeat(65_536), ['w65536']],
    ['what does not, cut by bytes', '€'.repeat(30_000), ['p65536', 'w24464']],
    ['a stream, of which nothing travels with the command', () => bytes(3), ['p0', 'p3', 'w0']],
    ['a large chunk of a stream', () => bytes(70_000), ['p0', 'p65536', 'p4464', 'w0']],
    ['an empty stream', () => Readable.from([]), ['p0', 'w0']],
    ['a stream that breaks', broken, ['p0', 'w0']],
  ])('cuts %s', async (_name, input, kinds) => {
    expect(await all(typeof input === 'function' ? input() : input)).toEqual(kinds);
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
  ])('checks %s', (_name, change, can) => {
    expect(canTravel({ ...spec, ...change })).toBe(can);
  });
});
