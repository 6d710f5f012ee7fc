import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Every file of a project that some command opens by itself. */
export const READ_FILES = [
  'package.json',
  'Makefile',
  'pyproject.toml',
  'CLAUDE.md',
  'CLAUDE.local.md',
  'AGENTS.md',
  '.claude/CLAUDE.md',
  '.claude/rules/a.md',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/agents/a.md',
  '.claude/commands/a.md',
  '.claude/skills/a/SKILL.md',
  '.mcp.json',
  'stopgate.config.json',
  '.gitignore',
  '.gitattributes',
  '.gitmodules',
  '.mailmap',
] as const;

/** What can stand where a file is expected. */
export const SPECIAL: Readonly<Record<string, (file: string) => Promise<unknown> | unknown>> = {
  'a named pipe': (file) => execFileSync('mkfifo', [file]),
  'a folder': (file) => mkdirSync(file),
  'a link to /dev/zero': (file) => symlinkSync('/dev/zero', file),
  'a link to a pipe': (file) => {
    execFileSync('mkfifo', [`${file}.pipe`]);
    symlinkSync(`${path.basename(file)}.pipe`, file);
  },
  // by another process that does not remove it; a relative name, because a socket's longest name is short
  'a socket': (file) =>
    execFileSync(
      'perl',
      [
        '-MSocket',
        '-e',
        'socket(my $s, PF_UNIX, SOCK_STREAM, 0); bind($s, sockaddr_un($ARGV[0])) or die',
        path.basename(file),
      ],
      { cwd: path.dirname(file) },
    ),
};

const KB = 1024;

/** Texts on which a careless reader takes quadratic or exponential time, or all memory. */
export function hostileTexts(bytes = 250 * KB): Readonly<Record<string, string>> {
  const fill = (part: string, before = '', after = '') =>
    before + part.repeat(Math.ceil(Math.max(0, bytes - before.length - after.length) / part.length)) + after;
  const rules = (count: number) => Array.from({ length: count }, (_, at) => `"Tool${at}("`).join(',');
  return {
    'punctuation after an import': fill('.', '@', 'a'),
    'many imports': fill('@a.md '),
    'imports with escapes': fill('@\\ '),
    'open code spans': fill('`a'),
    'growing code spans': Array.from({ length: 700 }, (_, at) => '`'.repeat(at)).join(' '),
    'front matter that never ends': fill('a: b\n', '---\n'),
    'front matter of dashes': fill('---x\n', '---\n'),
    'blanks before a line end': fill(' ', '---\n', 'x'),
    'broken YAML values': fill('a: [b] [c]\n', '---\n', '---\n'),
    'YAML aliases': `---\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
      .split('')
      .map((name, at) => `${name}: &${name} [${`*${'abcdefghi'[at]},`.repeat(9)}]`)
      .join('\n')}\n---\n`,
    'deep YAML': `---\na: ${'['.repeat(20_000)}\n---\n`,
    'deep JSON': fill('['),
    'deep JSON objects': fill('{"a":'),
    'many faults': `{"permissions":{"deny":[${rules(8_000)}],"allow":[${rules(8_000)}]}}`,
    'many unknown hooks': `{"hooks":{${Array.from({ length: 8_000 }, (_, at) => `"Stopp${at}":[{"hooks":[{}]}]`).join(',')}}}`,
    'many hook entries': `{"hooks":{"Stop":[${fill('{"hooks":[{"type":"x"}]},').slice(0, -1)}]}}`,
    'many keys': `{${Array.from({ length: 12_000 }, (_, at) => `"permission${at}":1`).join(',')}}`,
    'a long rule': `{"permissions":{"deny":["Read(${fill('/')}a)","Bash(${fill('*a')})","Edit(${fill('{a,b}')})"]}}`,
    'a long key': `{"${fill('a')}":1}`,
    'many lines': `{${fill('\n')}`,
    'a number': fill('1'),
    'an open string': fill('\\n', '"'),
    'many checks': `{"checks":[${fill('{"command":"true"},').slice(0, -1)}]}`,
    'bad checks': `{"checks":[{"command":["${fill('a')}"],"x":1}]}`,
    'many scripts': `{"scripts":{${Array.from({ length: 9_000 }, (_, at) => `"test${at}":"x"`).join(',')}}}`,
    'prototype names':
      '{"__proto__":{"hooks":1},"constructor":{},"toString":[],"hooks":{"__proto__":[],"toString":[{}]}}',
    'too large': fill('x', '', '').repeat(50),
    'zero bytes': fill('\0'),
  };
}

/** Puts something where a file is expected; what was there before is gone. */
export async function plant(
  dir: string,
  file: string,
  put: (file: string) => Promise<unknown> | unknown,
): Promise<void> {
  const target = path.join(dir, file);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(path.dirname(target), { recursive: true });
  await put(target);
}

export const plantText = (dir: string, file: string, text: string) =>
  plant(dir, file, (target) => writeFileSync(target, text));
