import { describe, expect, it } from 'vitest';
import { Headers } from './headers.ts';

const BuiltIn = globalThis.Headers;

const STARTS: readonly [string, ConstructorParameters<typeof Headers>[0]][] = [
  ['nothing', undefined],
  ['an object', { 'Content-Type': 'text/plain', 'x-a': ' padded ' }],
  ['pairs, one of them twice', [['X-A', '1'] as const, ['x-a', '2'] as const]],
  ['other headers', new Headers({ Accept: '*/*' })],
];

describe('headers', () => {
  it.each(STARTS)('from %s are those that the built-in class makes', (_, init) => {
    const ours = new Headers(init);
    expect([...ours]).toEqual([...new BuiltIn(init as ConstructorParameters<typeof BuiltIn>[0])]);
    expect([...ours.entries()]).toEqual([...ours]);
    expect([...ours.keys()].map((name, place) => [name, [...ours.values()][place]])).toEqual([...ours]);
  });

  it('are found, replaced, joined and removed in any case', () => {
    const headers = new Headers({ 'User-Agent': 'a' });
    expect(headers.get('USER-agent')).toBe('a');
    headers.append('user-agent', 'b');
    expect(headers.get('user-agent')).toBe('a, b');
    headers.set('USER-AGENT', 'c');
    const seen: string[] = [];
    headers.forEach((value, name) => void seen.push(`${name}: ${value}`));
    expect(seen).toEqual(['user-agent: c']);
    expect(headers.has('user-Agent')).toBe(true);
    headers.delete('User-agent');
    expect(headers.get('user-agent')).toBeNull();
  });

  it('leave out what is undefined and join what is a list', () => {
    expect([...new Headers({ gone: undefined, twice: ['a', 'b'] })]).toEqual([['twice', 'a, b']]);
  });
});
