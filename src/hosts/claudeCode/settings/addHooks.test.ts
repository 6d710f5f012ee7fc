import { describe, expect, it } from 'vitest';
import type { HookEntry } from '../../../schemas/settingsHold.ts';
import { addHooks } from './addHooks.ts';
import { ownedHooks } from './ownedHooks.ts';
import { removeHooks } from './removeHooks.ts';

const ENTRY: HookEntry = { event: 'Stop', command: '"/a/s.sh" # stopgate', timeout: 5 };
const JSON_ENTRY = '{"type":"command","command":"\\"/a/s.sh\\" # stopgate","timeout":5}';

const added = (text: string, ...entries: readonly HookEntry[]) => {
  const edit = addHooks(text, entries.length > 0 ? entries : [ENTRY]);
  if (edit.type === 'broken') throw new Error(JSON.stringify(edit));
  return edit.text;
};
const removed = (text: string) => {
  const edit = removeHooks(text);
  if (edit.type === 'broken') throw new Error(JSON.stringify(edit));
  return edit.text;
};
const spread = (indent: string, eol: string) =>
  JSON.stringify({ Stop: [{ hooks: [JSON.parse(JSON_ENTRY)] }] }, null, indent).replaceAll('\n', eol + indent);

describe('addHooks', () => {
  it.each([
    ['two blanks', '{\n  "a": 1\n}\n', `{\n  "a": 1,\n  "hooks": ${spread('  ', '\n')}\n}\n`],
    ['four blanks', '{\n    "a": 1\n}', `{\n    "a": 1,\n    "hooks": ${spread('    ', '\n')}\n}`],
    ['tabs and CRLF', '{\r\n\t"a": 1\r\n}\r\n', `{\r\n\t"a": 1,\r\n\t"hooks": ${spread('\t', '\r\n')}\r\n}\r\n`],
    ['a BOM', '\ufeff{\n  "a": 1\n}', `\ufeff{\n  "a": 1,\n  "hooks": ${spread('  ', '\n')}\n}`],
    ['one line', '{"a": 1}', `{"a": 1,"hooks":{"Stop":[{"hooks":[${JSON_ENTRY}]}]}}`],
    ['an empty object', '{}', `{\n  "hooks": ${spread('  ', '\n')}\n}`],
    ['nothing', '', `{\n  "hooks": ${spread('  ', '\n')}\n}\n`],
    [
      'others in the same list',
      '{"hooks": {"Stop": [{"hooks":[]}]}}',
      `{"hooks": {"Stop": [{"hooks":[]},{"hooks":[${JSON_ENTRY}]}]}}`,
    ],
  ])('writes as the file does: %s', (_name, before, after) => {
    expect(added(before)).toBe(after);
    expect(added(after)).toBe(after);
  });

  it('gives an entry with another path the new command where it stands', () => {
    const moved =
      '{"hooks":{"Stop":[{"matcher":"x","hooks":[{"timeout":9,"command":"\\"/old/place/s.sh\\" # stopgate"}]}]}}';
    expect(added(moved)).toBe(moved.replace('/old/place', '/a'));
    const hook = (command: string): HookEntry => ({ event: 'Stop', command, timeout: 1 });
    const before = added('{}', hook('"/n" "/p/bin/stopgate.js" hook stop --timeout 9 # stopgate'));
    expect(added(before, hook('"/usr/bin/stopgate" hook stop --timeout 9 # stopgate'))).toBe(
      before.replace('\\"/n\\" \\"/p/bin/stopgate.js\\"', '\\"/usr/bin/stopgate\\"'),
    );
  });

  it('gives an entry of an older Stopgate the name that it is shown by, and leaves one that a person chose', () => {
    const named = { ...ENTRY, statusMessage: 'stopgate' };
    const old = added('{\n  "a": 1\n}\n');
    expect(JSON.parse(added(old, named)).hooks.Stop[0].hooks).toEqual([
      { type: 'command', command: ENTRY.command, timeout: 5, statusMessage: 'stopgate' },
    ]);
    expect(added(added(old, named), named)).toBe(added(old, named));
    const own = added(old, named).replace('"stopgate"', '"mine"');
    expect(added(own, named)).toBe(own);
    expect(removed(added(old, named))).toBe('{\n  "a": 1\n}\n');
  });

  it('never takes an entry without the mark for its own', () => {
    const theirs = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"\\"/a/s.sh\\""}]}]}}';
    const both = added(theirs);
    expect(ownedHooks(both)).toMatchObject({ hooks: [{ event: 'Stop', command: ENTRY.command }] });
    expect(removed(both)).toBe(theirs);
    expect(removed(theirs)).toBe(theirs);
  });

  it.each<[string, string, object]>([
    [
      'no JSON',
      '{\n  "a" 1\n}',
      { line: 2, column: 7, message: expect.stringContaining('a colon after the key should be') },
    ],
    ['a list', '\n[]', { line: 2, column: 1, message: 'settings must be an object in braces' }],
    [
      'a comment',
      '{\n  "a": 1 // c\n}',
      { line: 2, column: 10, message: expect.stringContaining('there is a comment') },
    ],
    [
      'a trailing comma',
      '{"a": 1,\n}',
      { line: 1, column: 8, message: expect.stringContaining('Claude Code ignores') },
    ],
    ['hooks of another shape', '{"hooks": []}', { line: 1, column: 11, message: expect.stringContaining('`hooks`') }],
    ['an event of another shape', '{"hooks":\n{"Stop": {}}}', { line: 2, column: 10 }],
    ['an end too early', '{"a": [', { line: 1 }],
    ['endless depth', '['.repeat(100_000), {}],
  ])('refuses %s and names the position', (_name, text, where) => {
    expect(addHooks(text, [ENTRY])).toMatchObject({ type: 'broken', ...where });
  });
});

describe('removeHooks', () => {
  it.each([
    [
      'from a group of others, leaving it',
      `{"hooks":{"Stop":[{"matcher":"Bash","hooks":[{"command":"x"}, ${JSON_ENTRY}]}]}}`,
      '{"hooks":{"Stop":[{"matcher":"Bash","hooks":[{"command":"x"}]}]}}',
    ],
    [
      'from the front of a group',
      `{"hooks":{"Stop":[{"hooks":[${JSON_ENTRY}, {"command":"x"}]}]}}`,
      '{"hooks":{"Stop":[{"hooks":[{"command":"x"}]}]}}',
    ],
    ['standing in the list by itself', `{"a":1,"hooks":{"Stop":[${JSON_ENTRY}]}}`, '{"a":1}'],
    ['from lines of its own', `{\n  "hooks": {"Stop":[${JSON_ENTRY}]},\n  "b": 2\n}`, '{\n  "b": 2\n}'],
    [
      'keeping what a person wrote about the group',
      `{"hooks":{"Stop":[{"note":"why","hooks":[${JSON_ENTRY}]}]}}`,
      '{"hooks":{"Stop":[{"note":"why","hooks":[]}]}}',
    ],
  ])('takes ours out %s', (_name, before, after) => {
    expect(removed(before)).toBe(after);
  });
});
