// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what looks like a template is shell
import { describe, expect, it } from 'vitest';
import { splitCommand } from './splitCommand.ts';

function words(text: string): string[][] {
  return splitCommand(text).parts.map((part) => part.words.map((word) => word.text));
}

describe('splitCommand', () => {
  it.each<[string, string[][]]>([
    ['', []],
    ['# only a comment', []],
    ['a b  c', [['a', 'b', 'c']]],
    ['a && b || c; d | e & f', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
    [`a 'b c' "d e" f\\ g`, [['a', 'b c', 'd e', 'f g']]],
    [`a "it's" 'say "x"'`, [['a', "it's", 'say "x"']]],
    ['a "\\$x \\n"', [['a', '$x \\n']]],
    ['a b#c #d', [['a', 'b#c']]],
    ["a $'x\\ty\\'z'", [['a', "x\ty'z"]]],
    ['a >b 2>&1 <c d', [['a', 'd']]],
    ['a 2 > b', [['a', '2']]],
    ['(a; b) > c', [['a'], ['b'], []]],
    [
      'a $(b c) d',
      [
        ['b', 'c'],
        ['a', '$(b c)', 'd'],
      ],
    ],
    ['[[ -f x && a < b ]] && c', [['[[', '-f', 'x', 'a', 'b', ']]'], ['c']]],
    ['time -p a', [['a']]],
    ['time ! a', [['a']]],
    ['time { a; }', [['a']]],
    ['echo ${x[1]} ${#x} ${x%.*} ${x:-y} ${x//a/b}', [['echo', '${x[1]}', '${#x}', '${x%.*}', '${x:-y}', '${x//a/b}']]],
    ['i=1; echo $((i+1))', [[], ['echo', '$((i+1))']]],
    ['a <<X b\n$(c)\nX\nd', [['a', 'b'], ['c'], ['d']]],
    ["a <<'X'\n$(c)\nX\nd", [['a'], ['d']]],
    ['find . -exec a {} \\;', [['find', '.', '-exec', 'a', '{}', ';']]],
    ['echo $((1+2))', [['echo', '$((1+2))']]],
    ['if a; then b; else c; fi', [['a'], ['b'], ['c']]],
    ['X=1 Y=2 a', [['a']]],
  ])('takes %j apart', (text, expected) => {
    expect(splitCommand(text).unclear).toBeUndefined();
    expect(words(text)).toEqual(expected);
  });

  it.each([
    '$X',
    '$(a) b',
    '`a` b',
    'a*b',
    '{a,b}',
    '""',
    'f() { a; }',
    'case x in x) a;; esac',
    "a 'b",
    'a "b',
    'a `b',
    'a $(b',
    'a ${b',
    'a (b)',
    'a )',
    '(a',
    'a <<X',
    'a <<X\nb',
    'a >',
    'a $[1]',
    'echo $((x))',
    'echo ${x[y]}',
    'echo ${x:y}',
    'echo ${!x}',
    'echo ${x@P}',
    'echo ${x:-$(a)}',
    "x='a[$(b)]'; echo $((x))",
    'i=$(a); echo $((i))',
    'echo "$\\\n(a)"',
    'cat <<E\\\nF\nx\nEF',
    'echo $"a"',
    "echo $'\\u0061'",
    'a[1]=b',
    'a=(b c)',
    '[[ x -eq 1 ]]',
    'a\u0000b',
    'a\r\nb',
  ])('is not sure of %j', (text) => {
    expect(splitCommand(text)).toMatchObject({ unclear: expect.any(String) });
  });

  it('keeps what each command opens and sets', () => {
    const [part] = splitCommand('A=1 B="x y" cmd >> out 2>&1').parts;
    expect(part?.assignments).toEqual([
      { name: 'A', raw: 'A=1', value: { text: '1', raw: '1', expands: false, globs: false } },
      { name: 'B', raw: 'B="x y"', value: { text: 'x y', raw: '"x y"', expands: false, globs: false } },
    ]);
    expect(part?.redirects.map(({ operator, target }) => [operator, target.text])).toEqual([
      ['>>', 'out'],
      ['>&', '1'],
    ]);
  });

  it('keeps the text of a heredoc with its command', () => {
    expect(splitCommand('bash <<X\na\nX\nb').parts[0]?.inputs).toEqual([{ text: 'a\n', expands: false }]);
  });
});
