import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sizeOf } from '../../../tests/support/testSize.ts';
import { hookEntries } from '../claudeCode/entries.ts';
import { CLAUDE_SETTINGS as FORMAT } from '../claudeCode/wiring.ts';
import { HOST_FEATURES } from '../host.ts';
import { keyOfEntry, type SettingsEdit } from './format.ts';

const ENTRIES = hookEntries(HOST_FEATURES, { packageRoot: '/opt/stop gate', stopgate: ['/bin/node', '/opt/s.js'] });

/** A settings file as people, editors and programs leave it: any blanks, hooks or none. */
function documents(emptyContainers: boolean): fc.Arbitrary<string> {
  const blank = fc.constantFrom('', '', ' ', '\n', '\n  ', '\n\t', '\n\n    ');
  const scalar = fc.oneof(
    fc.string().map((text) => JSON.stringify(text)),
    fc.constantFrom('1', '-2e3', 'true', 'null'),
  );
  const list = (item: fc.Arbitrary<string>, open: string, close: string) =>
    fc
      .tuple(fc.array(fc.tuple(blank, item, blank), { minLength: emptyContainers ? 0 : 1, maxLength: 3 }), blank)
      .map(([items, end]) => `${open}${items.map((parts) => parts.join('')).join(',')}${end}${close}`);
  const member = (key: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
    fc.tuple(key, blank, blank, value).map(([name, a, b, text]) => `${JSON.stringify(name)}${a}:${b}${text}`);
  const word = fc.constantFrom('model', 'env', 'x y', 'é"\\', 'permissions');
  const other = fc.oneof(scalar, list(scalar, '[', ']'), list(member(word, scalar), '{', '}'));
  const theirs = fc.constantFrom(
    '{"type":"command","command":"stopgate hook stop"}',
    '{ "type": "command", "command": "x # stopgate!" }',
    '{\n"command":"echo \\"# stopgate\\""\n}',
  );
  const group = fc.oneof(
    theirs,
    list(member(fc.constant('hooks'), list(theirs, '[', ']')), '{', '}').filter((text) => text !== ''),
  );
  const event = fc.constantFrom('Stop', 'PostToolUse', 'PreToolUse', 'Notification');
  const hooks = list(member(event, list(group, '[', ']')), '{', '}');
  const root = fc
    .tuple(
      list(fc.oneof(member(word, other), member(fc.constant('hooks'), hooks)), '{', '}'),
      fc.constantFrom('', '\ufeff'),
      blank,
      blank,
      fc.boolean(),
    )
    .map(([text, bom, before, after, crlf]) => {
      const body = `${before}${text}${after}`;
      return bom + (crlf ? body.replaceAll('\n', '\r\n') : body);
    });
  return root;
}

const textOf = (edit: SettingsEdit): string => {
  if (edit.type === 'broken') throw new Error(JSON.stringify(edit));
  return edit.text;
};
const parsedText = (text: string): unknown => JSON.parse(text.replace(/^\ufeff/, ''));

it('adds the entries once, keeps every value that was there, and takes it out again to the byte', () => {
  fc.assert(
    fc.property(documents(true), fc.subarray([...ENTRIES], { minLength: 1 }), (text, entries) => {
      const added = textOf(FORMAT.add(text, entries));
      const owned = FORMAT.owned(added);
      expect(owned.type === 'found' && [...owned.keys].sort()).toEqual(entries.map(keyOfEntry).sort());
      expect(textOf(FORMAT.add(added, entries))).toBe(added);
      expect(textOf(FORMAT.remove(added, { original: text }))).toBe(text);
    }),
    { numRuns: sizeOf({ small: 500, full: 1500 }) },
  );
});

it('takes it out to the byte without knowing the original, where nothing was empty', () => {
  fc.assert(
    fc.property(documents(false), fc.subarray([...ENTRIES], { minLength: 1 }), (text, entries) => {
      expect(textOf(FORMAT.remove(textOf(FORMAT.add(text, entries))))).toBe(text);
    }),
    { numRuns: sizeOf({ small: 500, full: 1500 }) },
  );
});

it('keeps what others changed in the meantime', () => {
  fc.assert(
    fc.property(documents(true), fc.subarray([...ENTRIES], { minLength: 1 }), (text, entries) => {
      const added = textOf(FORMAT.add(text, entries));
      // another program adds a key in front and blank lines at the end
      const open = added.indexOf('{');
      const key = `"theirs": {"kept": [1]}${/^\{\s*\}/.test(added.slice(open)) ? '' : ','}`;
      const edited = `${added.slice(0, open + 1)}${key}${added.slice(open + 1)}\n\n`;
      const left = textOf(FORMAT.remove(edited, { original: text }));
      expect(FORMAT.owned(left)).toEqual({ type: 'found', keys: [] });
      expect(left.endsWith('\n\n')).toBe(true);
      const before = parsedText(text);
      expect(parsedText(left)).toEqual({ theirs: { kept: [1] }, ...(before as object) });
    }),
    { numRuns: sizeOf({ small: 300, full: 800 }) },
  );
});

it('moved, re-indented and reordered by a person, ours are still found and theirs are kept', () => {
  fc.assert(
    fc.property(documents(true), fc.constantFrom(0, 2, '\t'), (text, indent) => {
      const again = JSON.stringify(parsedText(textOf(FORMAT.add(text, ENTRIES))), null, indent);
      const left = textOf(FORMAT.remove(again, { original: text }));
      expect(parsedText(left)).toEqual(parsedText(text));
    }),
    { numRuns: sizeOf({ small: 200, full: 500 }) },
  );
});
