// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what looks like a template is shell
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decidePermission } from '../../src/permissions/decidePermission.ts';
import { sizeOf } from '../support/testSize.ts';

/** `STOPGATE_FUZZ_LINES=100000` is the long run. */
const PATTERNS = Math.min(Number(process.env.STOPGATE_FUZZ_LINES ?? sizeOf({ small: 1_000, full: 3_000 })), 100_000);

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stopgate-wildcards-')));
  mkdirSync(join(folder, 'packages/api'), { recursive: true });
  mkdirSync(join(folder, 'packages/web'));
  for (const file of ['.env', '.env.example', 'a.ts', 'packages/api/.env', 'packages/web/b.ts'])
    writeFileSync(join(folder, file), 'x\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What may stand for a letter; `n` is replaced by it. */
const PIECES =
  `n n n [n] [!x] [^x] [a-z] [!a] [[:alpha:]] [[:lower:]] [![:digit:]] [^[:digit:]] [[=n=]] [[.n.]] []n] [n]] [n-] [-n] [!-] [!]] [^]] [\\n] [a\\-z] [x\\]n] [n''] [!'x'] ['n'] "[n]" [m-o] [z-a] [nN] [n[] [[n] [!!] [^^] [^!] [!^] [n!] [n^] [*] [?] [.] [/] [n/] ? * ** ?* *? \\n "n" 'n' {n,x} {n,} {n} {} {n..n} $'n' \${x} $x [$x] [n$x] [[:alpha:][:digit:]] [[:alpha:]!] [[:x:]] [:n:] [a-z0-9] [!A-Z] [^A-Z] [#-~] [!#] [,n] {[n],x} {[!x],y} [{n,x}] [n,}] "\${x}" [[:alpha:]`.split(
    ' ',
  );
const PLACES = ['', '', '', '', './', 'packages/api/', 'pack*/[!w]pi/', 'p[!x]ckages/api/', 'packages/{api,web}/'];
const DOTS = ['.', '.', '.', '\\.', '"."', '{.,x}', '[.]'];
const ENDS = ['', '', '', '', '*', '""', '[]', '{,x}', '?'];

function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomPatterns(count: number): string[] {
  const next = numbersFrom(1);
  const pick = (list: readonly string[]) => list[next(list.length)] ?? '';
  return Array.from({ length: count }, () => {
    const letters = [...'env'].map((letter) => pick(PIECES).replaceAll('n', letter));
    return pick(PLACES) + pick(DOTS) + letters.join('') + pick(ENDS);
  });
}

/** Which of the patterns bash takes for one of the files called `.env`. */
function reaching(patterns: readonly string[], before: string): ReadonlySet<string> {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const script = [
    before,
    'hit() { for a in "$@"; do case $a in *.env) [ -f "$a" ] && { echo y; return; };; esac; done; echo n; }',
    ...patterns.map((pattern) => `eval ${quoted(`hit ${pattern}`)} 2>/dev/null || echo n`),
  ].join('\n');
  const { stdout } = spawnSync('/bin/bash', ['--norc', '-s'], { input: script, cwd: folder, encoding: 'utf8' });
  const answers = stdout.trim().split('\n');
  expect(answers.length).toBe(patterns.length);
  return new Set(patterns.filter((_, at) => answers[at] === 'y'));
}

it.each([
  ['', 'cat %'],
  ['shopt -s dotglob nocaseglob', 'shopt -s dotglob nocaseglob; cat %'],
])('no pattern that bash expands to a denied file is let through: %j', (before, line) => {
  const patterns = [...new Set(randomPatterns(PATTERNS))];
  const reached = reaching(patterns, before);
  expect(reached.size).toBeGreaterThan(PATTERNS / 10);
  const missed = [...reached].filter((pattern) => {
    const decision = decidePermission({
      toolName: 'Bash',
      request: { type: 'command', command: line.replace('%', () => pattern) },
      mode: 'bypassPermissions',
      rules: { allow: [], ask: [], deny: ['Read(.env)'] },
      directories: [folder],
      projectDir: folder,
      homeDir: '/home/ann',
    });
    return decision.type !== 'deny';
  });
  expect(missed).toEqual([]);
});
