import { describe, expect, it } from 'vitest';
import type { SettingsEdit } from './format.ts';
import { markedBlock } from './markedBlock.ts';
import { ownFile } from './ownFile.ts';

const textOf = (edit: SettingsEdit) => (edit.type === 'edited' ? edit.text : `broken: ${edit.message}`);
const ENTRIES = [
  { key: 'trust', text: '[hooks.state."a"]\ntrusted_hash = "1"' },
  { key: 'other', text: 'x = 1' },
];

describe('blocks in a text file', () => {
  it.each([
    '',
    '\n',
    'model = "a"',
    'model = "a"\n',
    'model = "a"\r\n\r\n',
    '# stopgate\n',
    '# stopgate begin\n',
    '# a\n\n\n',
  ])('are added and removed without a trace: %j', (text) => {
    const added = textOf(markedBlock.add(text, ENTRIES));
    expect(added.startsWith(text)).toBe(true);
    expect(added).toContain('[hooks.state."a"]\ntrusted_hash = "1"\n');
    expect(textOf(markedBlock.add(added, ENTRIES))).toBe(added);
    expect(textOf(markedBlock.remove(added))).toBe(text);
  });

  it('are removed from a file that was edited around them', () => {
    const added = textOf(markedBlock.add('a = 1\n', ENTRIES));
    expect(textOf(markedBlock.remove(`b = 0\n${added}[c]\nd = 2\n`))).toBe('b = 0\na = 1\n[c]\nd = 2\n');
    expect(markedBlock.owned(added)).toEqual({ type: 'found', keys: ['trust', 'other'] });
    expect(textOf(markedBlock.remove(added, { keeps: (key) => key === 'trust' }))).not.toContain('x = 1');
  });
});

describe('a file of our own', () => {
  const format = ownFile({ render: (entries) => `// ${entries.length} # stopgate\n` });

  it('is written, replaced and removed', () => {
    const added = textOf(format.add('', ENTRIES));
    expect(added).toBe('// 2 # stopgate\n');
    expect(textOf(format.add(added, ENTRIES.slice(1)))).toBe('// 1 # stopgate\n');
    expect(format.isEmpty(textOf(format.remove(added)))).toBe(true);
  });

  it('is not deleted with what a person added to it', () => {
    const edited = `${textOf(format.add('', ENTRIES))}// mine\n`;
    expect(textOf(format.remove(edited, { recorded: ENTRIES }))).toMatch(/^broken: it was changed since/);
  });

  it("never replaces a person's file of the same name", () => {
    expect(textOf(format.add('export default 1;\n', ENTRIES))).toMatch(/^broken: Stopgate did not write this file/);
    expect(textOf(format.remove('export default 1;\n'))).toBe('export default 1;\n');
    expect(format.owned('export default 1;\n')).toEqual({ type: 'found', keys: [] });
  });
});
