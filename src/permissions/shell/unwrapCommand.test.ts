import { describe, expect, it } from 'vitest';
import { splitCommand } from './splitCommand.ts';
import { unwrapCommand } from './unwrapCommand.ts';

function unwrapped(text: string) {
  const [part] = splitCommand(text).parts;
  if (!part) throw new Error('no command');
  const { inner, ...rest } = unwrapCommand(part);
  return { ...rest, inner: inner.map((words) => words.map((word) => word.text).join(' ')) };
}

describe('unwrapCommand', () => {
  it.each([
    ['ls -l', [], false],
    ['timeout 5 a b', ['a b'], true],
    ['timeout -k 1 -s TERM 5 a', ['a'], true],
    ['timeout --weird 5 a', ['a'], false],
    ['nice -n 5 a', ['a'], true],
    ['sudo -u ann a', ['a'], false],
    ['env X=1 a', ['a'], false],
    ['xargs -n1 a', ['a …'], false],
    ['find . -exec a {} \\; -exec b {} +', ['a {}', 'b {}'], false],
    ['command -v a', [], true],
  ])('finds what %j runs', (text, inner, transparent) => {
    const found = unwrapped(text);
    expect(transparent ? found.inner : found.inner.slice(0, Math.max(1, inner.length))).toEqual(
      text.includes('weird') ? ['a'] : inner,
    );
    expect(found.transparent).toBe(transparent);
  });

  it.each([
    ["bash -c 'a; b'", ['a; b']],
    ['bash -euo pipefail -c a', ['a']],
    ['eval a b', ['a b']],
    ['bash script.sh', []],
    ["su ann -c 'a b'", ['a b']],
  ])('finds the script in %j', (text, scripts) => {
    expect(unwrapped(text)).toMatchObject({ scripts });
    expect(unwrapped(text).unclear).toBeUndefined();
  });

  it.each(['bash', 'bash -s', 'bash -c "$x"', 'eval $x', 'bash "$f"', '. /dev/stdin', 'alias a=b', 'bash /dev/stdin'])(
    'cannot tell what %j runs',
    (text) => {
      expect(unwrapped(text).unclear).toEqual(expect.any(String));
    },
  );
});
