import { describe, expect, it } from 'vitest';
import type { HookEntry } from '../../schemas/settingsHold.ts';
import { CLAUDE_SETTINGS } from '../claudeCode/wiring.ts';
import { jsonHooks } from './jsonHooks.ts';

const ENTRY: HookEntry = { event: 'Stop', command: '"/a/s.sh" # stopgate', timeout: 5 };
const JSON_ENTRY = '{"type":"command","command":"\\"/a/s.sh\\" # stopgate","timeout":5}';

const added = (text: string, ...entries: readonly HookEntry[]) => {
  const edit = CLAUDE_SETTINGS.add(text, entries.length > 0 ? entries : [ENTRY]);
  if (edit.type === 'broken') throw new Error(JSON.stringify(edit));
  return edit.text;
};
const removed = (text: string) => {
  const edit = CLAUDE_SETTINGS.remove(text);
  if (edit.type === 'broken') throw new Error(JSON.stringify(edit));
  return edit.text;
};
const spread = (indent: string, eol: string) =>
  JSON.stringify({ Stop: [{ hooks: [JSON.parse(JSON_ENTRY)] }] }, null, indent).replaceAll('\n', eol + indent);

describe('adding hooks', () => {
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
      '{"hooks":{"Stop":[{"hooks":[{"timeout":5,"command":"\\"/old/place/s.sh\\" # stopgate","type":"command"}]}]}}';
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

  it.each([
    ['another time', '{"hooks":[{"type":"command","command":"true s.sh # stopgate","timeout":1}]}'],
    ['a matcher', '{"matcher":"never","hooks":[{"type":"command","command":"\\"/a/s.sh\\" # stopgate","timeout":5}]}'],
    ['a switch', '{"hooks":[{"type":"command","command":"\\"/a/s.sh\\" # stopgate","timeout":5,"async":true}]}'],
    ['the same twice', `{"hooks":[${JSON_ENTRY}]},{"hooks":[${JSON_ENTRY.replace('/a/', '/evil/')}]}`],
  ])('replaces an entry with our mark that would not run as ours: %s', (_name, planted) => {
    const text = added(`{"hooks":{"Stop":[${planted}]}}`, { ...ENTRY, command: '"/a/s.sh" # stopgate' });
    const groups = JSON.parse(text).hooks.Stop as { matcher?: string; hooks: object[] }[];
    const ours = groups.filter(({ hooks }) => JSON.stringify(hooks).includes('/a/s.sh'));
    expect(ours).toEqual([{ hooks: [JSON.parse(JSON_ENTRY)] }]);
    expect(text).not.toMatch(/evil|async|never/);
  });

  it('never takes an entry without the mark for its own', () => {
    const theirs = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"\\"/a/s.sh\\""}]}]}}';
    const both = added(theirs);
    expect(CLAUDE_SETTINGS.owned(both)).toEqual({ type: 'found', keys: ['Stop s.sh'] });
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
    expect(CLAUDE_SETTINGS.add(text, [ENTRY])).toMatchObject({ type: 'broken', ...where });
  });
});

describe('removing hooks', () => {
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

describe('a host that reads comments', () => {
  const format = jsonHooks({
    hook: ({ command, timeout }) => ({ command, timeout: timeout * 1000 }),
    comments: 'read',
  });
  const text = '// mine\n{\n  /* model */ "model": { "name": "a" } // end\n}\n';

  it('keeps them, and removes ours to the byte', () => {
    const edit = format.add(text, [ENTRY, { path: ['model', 'loops'], value: false }]);
    if (edit.type === 'broken') throw new Error(edit.message);
    expect(edit.text).toContain('// mine\n{\n  /* model */ "model": { "name": "a"');
    expect(edit.text).toContain('5000');
    const recorded = [{ path: ['model', 'loops'], value: false }];
    expect(format.remove(edit.text, { original: text, recorded })).toEqual({ type: 'edited', text });
  });

  it('still refuses what the host cannot read, and names the position', () => {
    expect(format.add('{\n  "a": 1, // x\n}', [ENTRY])).toMatchObject({ type: 'broken', line: 2, column: 9 });
  });
});

describe('settings that our hooks need', () => {
  const entry = { path: ['model', 'disableLoopDetection'], value: true };

  it.each([
    ['{}', '{\n  "model": {\n    "disableLoopDetection": true\n  }\n}'],
    ['{"model":{}}', '{"model":{"disableLoopDetection":true}}'],
    ['{"model":{"disableLoopDetection":false}}', '{"model":{"disableLoopDetection":true}}'],
    ['{"model":{"disableLoopDetection":true}}', '{"model":{"disableLoopDetection":true}}'],
    ['{"model":{"name":"x"}}', '{"model":{"name":"x","disableLoopDetection":true}}'],
  ])('are set in %s, and restored', (before, after) => {
    const edit = CLAUDE_SETTINGS.add(before, [entry]);
    expect(edit).toEqual({ type: 'edited', text: after });
    const back = CLAUDE_SETTINGS.remove(after, { original: before, recorded: [entry] });
    expect(back.type === 'edited' && JSON.parse(back.text)).toEqual(JSON.parse(before));
    expect(CLAUDE_SETTINGS.owned(after, [entry])).toEqual({
      type: 'found',
      keys: ['setting model.disableLoopDetection'],
    });
  });

  it('stay as a person set them since', () => {
    const text = '{"model":{"disableLoopDetection":false}}';
    expect(CLAUDE_SETTINGS.remove(text, { original: '{}', recorded: [entry] })).toEqual({ type: 'edited', text });
  });

  it('refuse a value of another shape', () => {
    expect(CLAUDE_SETTINGS.add('{"model": "x"}', [entry])).toMatchObject({ type: 'broken', line: 1, column: 11 });
  });
});
