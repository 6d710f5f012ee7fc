import { describe, expect, it } from 'vitest';
import { formatJsonPath, locateJsonPath, parseJson, parseJsonPath, repeatedKey } from './json.ts';

describe('parseJson', () => {
  it('reads what JSON.parse reads', () => {
    for (const text of ['{}', '[]', ' {"a":[1,-2.5e3,true,null,"\\u00e9\\n"]} ', '"x"', '0', '{"a":1,"a":2}']) {
      expect(parseJson(text)).toEqual({ type: 'parsed', value: JSON.parse(text) });
    }
  });

  it('reads past a byte order mark', () => {
    expect(parseJson('\ufeff{"a":1}')).toEqual({ type: 'parsed', value: { a: 1 } });
  });

  it.each([
    ['', 1, 1, 'it ends where a value should be'],
    ['{', 1, 2, 'it ends where a key in double quotes should be'],
    ['{\n  "a": 1,\n}', 2, 9, 'trailing comma'],
    ['[1, 2,]', 1, 6, 'trailing comma'],
    ['{\n  // why\n  "a": 1\n}', 2, 3, 'comment'],
    ['{"a": 1 /* x */}', 1, 9, 'comment'],
    ['{"a" 1}', 1, 6, 'a colon after the key'],
    ['{"a": 1 "b": 2}', 1, 9, 'a comma or `}`'],
    ["{'a': 1}", 1, 2, 'a key in double quotes'],
    ['{"a": undefined}', 1, 7, 'a value'],
    ['{"a": 01}', 1, 8, 'a comma or `}`'],
    ['{"a": "x\ny"}', 1, 7, 'a string is not closed'],
    ['{} {}', 1, 4, 'there is more'],
    ['['.repeat(100_000), 1, 202, 'nested more than'],
  ])('reports where %j is broken', (text, line, column, message) => {
    expect(parseJson(text)).toEqual({ type: 'broken', line, column, message: expect.stringContaining(message) });
  });

  it('agrees with JSON.parse on what is broken', () => {
    for (const text of ['nul', '+1', '.5', '1.', '"\\x41"', '"\t"', '[1 2]', '{"a"}', 'NaN', '-', '1e', 'truex']) {
      expect(() => JSON.parse(text)).toThrow();
      expect(parseJson(text).type).toBe('broken');
    }
  });
});

describe('locateJsonPath', () => {
  const text = '{\n  "permissions": {\n    "allow": ["Bash", "Edit",\n      7]\n  },\n  "my key": {"a.b": 1}\n}\n';

  it.each([
    ['permissions', 2, 18],
    ['permissions.allow', 3, 14],
    ['permissions.allow[1]', 3, 23],
    ['permissions.allow[2]', 4, 7],
    ['["my key"]["a.b"]', 6, 21],
    ['', 1, 1],
  ])('finds %s', (path, line, column) => {
    expect(locateJsonPath(text, path)).toEqual({ line, column });
  });

  it('finds nothing at a path that is not there', () => {
    expect(locateJsonPath(text, 'permissions.allow[3]')).toBeUndefined();
    expect(locateJsonPath(text, ['nope'])).toBeUndefined();
  });

  it('finds the key that counts when a key is there twice', () => {
    expect(locateJsonPath('{"a":1,\n"a":2}', 'a')).toEqual({ line: 2, column: 5 });
  });

  it('finds what comes before a fault', () => {
    expect(locateJsonPath('{"a": 1,}', 'a')).toEqual({ line: 1, column: 7 });
  });
});

describe('repeatedKey', () => {
  it.each([
    ['{"a":1,\n"a":2}', { path: ['a'], line: 2, column: 5 }],
    ['{"a":[{"b":1},{"b":1,"c":{},"b":[]}]}', { path: ['a', 1, 'b'], line: 1, column: 33 }],
    ['{"a":{"a":{"a":1}},"b":{"a":1}}', undefined],
    ['[[1,1],[1,1],{"__proto__":1}]', undefined],
  ])('in %s', (text, repeated) => expect(repeatedKey(text)).toEqual(repeated));
});

describe('formatJsonPath', () => {
  it('is read back by parseJsonPath', () => {
    const path = ['hooks', 'Stop', 0, 'a "b"]', 'x.y', 12];
    expect(parseJsonPath(formatJsonPath(path))).toEqual(path);
  });

  it('does not let a key write to a terminal', () => {
    expect(formatJsonPath(['env', '\u001b[2J'])).toBe('env["\\u001b[2J"]');
  });
});
