import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { indexPaths, trackedFiles } from './trackedFiles.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stopgate-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const FILES = [
  '.env',
  'packages/api/.dockerignore',
  'packages/api/.env',
  'packages/api/é b.ts',
  `${'a'.repeat(200)}.ts`,
];

function git(...args: string[]): void {
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, env, stdio: 'pipe' });
}

function makeRepository(...options: string[]): void {
  git('init', '-q', ...options);
  mkdirSync(join(folder, 'packages/api'), { recursive: true });
  for (const file of FILES) writeFileSync(join(folder, file), 'x');
}

const absolute = () => FILES.map((file) => join(folder, file)).sort();

it.each([[[]], [['--object-format=sha256']]])('reads the index of a repository made with %j', (options) => {
  makeRepository(...options);
  expect(trackedFiles(folder)).toEqual([]);
  git('add', '.');
  expect([...(trackedFiles(join(folder, 'packages')) ?? [])].sort()).toEqual(absolute());
  git('rm', '-q', '--cached', '.env');
  expect(trackedFiles(folder)).not.toContain(join(folder, '.env'));
});

it.each(['2', '3', '4'])('reads version %s, with flags', (version) => {
  makeRepository();
  git('add', '.');
  git('add', '-N', '.');
  git('update-index', '--skip-worktree', 'packages/api/.dockerignore');
  git('update-index', '--index-version', version);
  expect([...(trackedFiles(folder) ?? [])].sort()).toEqual(absolute());
});

it('follows the link of a worktree', () => {
  makeRepository();
  git('add', '.');
  git('commit', '-qm', 'a');
  git('worktree', 'add', '-q', 'other');
  expect(trackedFiles(join(folder, 'other'))).toContain(join(folder, 'other/packages/api/.env'));
});

it('does not know what another file holds', () => {
  makeRepository();
  git('add', '.');
  git('update-index', '--split-index');
  expect(trackedFiles(folder)).toBeUndefined();
});

it('knows nothing of a damaged index', () => {
  makeRepository();
  git('add', '.');
  for (const bytes of ['', 'DIRC', 'x'.repeat(100), 'DIRC\0\0\0\u0002\0\0\0\u0009']) {
    writeFileSync(join(folder, '.git/index'), bytes);
    expect(trackedFiles(folder)).toBeUndefined();
  }
});

it('ends for any bytes', () => {
  for (let at = 0; at < 500; at++) {
    const bytes = Buffer.from(Array.from({ length: 200 }, (_, index) => (index * 7919 * (at + 1)) % 251));
    bytes.write('DIRC\0\0\0', 'latin1');
    bytes[7] = 2 + (at % 3);
    bytes.writeUInt32BE(at % 2 === 0 ? 3 : 0xffffffff, 8);
    indexPaths(bytes);
  }
});

it('finds none outside of a repository', () => {
  expect(trackedFiles(folder)).toEqual([]);
});
