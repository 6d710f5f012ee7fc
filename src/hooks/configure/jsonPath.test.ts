import { describe, expect, it } from 'vitest';
import { type JsonPath, lineOf, pathText } from './jsonPath.ts';

it('writes a path as a person would', () => {
  expect(pathText(['hooks', 'Stop', 0, 'hooks', 1, 'timeout'])).toBe('hooks.Stop[0].hooks[1].timeout');
  expect(pathText(['hooks', 'odd key', 0])).toBe('hooks["odd key"][0]');
});

describe('lineOf', () => {
  const text = `{
  "model": "a \\"quoted\\" } name",
  "list": [1, {"x": [2, 3]}, true],
  "hooks": {
    "Stop": [
      { "hooks": [
        { "type": "command", "command": "x" },
        { "type": "command",
          "timeout": "5" }
      ] }
    ]
  }
}`;
  it.each<[JsonPath, number | undefined]>([
    [['hooks'], 4],
    [['hooks', 'Stop'], 5],
    [['hooks', 'Stop', 0], 6],
    [['hooks', 'Stop', 0, 'hooks', 0], 7],
    [['hooks', 'Stop', 0, 'hooks', 1], 8],
    [['hooks', 'Stop', 0, 'hooks', 1, 'timeout'], 9],
    [['hooks', 'Stop', 1], undefined],
    [['hooks', 'Nope'], undefined],
    [['model', 'x'], undefined],
  ])('%j is on line %s', (path, line) => {
    expect(lineOf(text, path)).toBe(line);
  });

  it.each(['', '{', '[', '{"hooks', '{"hooks":', '{]', 'not json', '{"hooks" {}}'])('does not hang on %j', (broken) => {
    expect(lineOf(broken, ['hooks', 'Stop', 0])).toBeUndefined();
  });
});
