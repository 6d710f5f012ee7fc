import { describe, expect, it } from 'vitest';
import type { Paint } from '../../../output/colors.ts';
import { callLines } from './blocks.ts';

const paint: Paint = (_style, text) => text;
const lines = (toolName: string, input: unknown, onDisk: string | null = null) =>
  callLines(toolName, input, { paint, onDisk });

describe('the lines of a call', () => {
  it('show every field of a tool that we do not know', () => {
    const input = {
      command: 'status',
      target: 'production',
      file_path: '/p/a',
      content: 'x',
      list: [1, { deep: true }],
    };
    expect(lines('mcp__deploy__run', input)).toEqual([
      'command: "status"',
      'target: "production"',
      'file_path: "/p/a"',
      'content: "x"',
      'list: [1,{"deep":true}]',
    ]);
  });

  it('let no value look like a field of its own', () => {
    expect(lines('mcp__deploy__run', { 'a\nb': 'staging\ntarget: "none"' })).toEqual([
      'a\\u{a}b: "staging\\ntarget: \\"none\\""',
    ]);
  });

  it('say that an edit replaces every occurrence', () => {
    const edit = { file_path: '/p/a.txt', old_string: 'a', new_string: 'b' };
    const once = lines('Edit', edit);
    expect(once).toContain('+b');
    expect(lines('Edit', { ...edit, replace_all: true })).toEqual(['replaces every occurrence in the file', ...once]);
    expect(lines('Edit', { ...edit, replace_all: false })).toEqual(once);
  });

  it('name the file of a write that changes nothing', () => {
    expect(lines('Write', { file_path: '/p/a.txt', content: 'a\n' }, 'a\n')).toEqual(['/p/a.txt: no change']);
  });

  it.each([
    ['Bash', { command: 'touch a\u200bb\r' }, '$ touch a\\u{200b}b\\u{d}'],
    ['Write', { file_path: '/p/a', content: 'x\u202ey\n' }, '+x\\u{202e}y'],
    ['Write', { file_path: '/p/a\u2066\nb', content: 'x\n' }, '+++ /p/a\\u{2066}\\u{a}b'],
    ['Edit', { file_path: '/p/a', old_string: 'a', new_string: 'a\u200b' }, '+a\\u{200b}'],
    ['mcp__x__y', { z: '\u200b' }, 'z: "\\u{200b}"'],
  ])('make invisible characters of %s visible', (name, input, line) => {
    expect(lines(name, input)).toContain(line);
  });
});
