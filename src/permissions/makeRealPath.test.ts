import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { decidePermission } from './decidePermission.ts';
import { makeRealPath } from './makeRealPath.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stopgate-')));
  mkdirSync(join(folder, 'in'));
  mkdirSync(join(folder, 'out'));
  writeFileSync(join(folder, 'out', 'file'), '');
  symlinkSync('../out', join(folder, 'in', 'link'));
  symlinkSync('link/new', join(folder, 'in', 'later'));
  symlinkSync('b', join(folder, 'in', 'a'));
  symlinkSync('a', join(folder, 'in', 'b'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each([
  ['in/link/file', 'out/file'],
  ['in/link', 'out'],
  ['in/link/x/y', 'out/x/y'],
  ['in/later', 'out/new'],
  ['in/later/x', 'out/new/x'],
  ['in/none/x', 'in/none/x'],
  ['out/file/x', 'out/file/x'],
])('%s leads to %s', (path, expected) => {
  expect(makeRealPath()(join(folder, path))).toBe(join(folder, expected));
});

it('ends in a circle of links', () => {
  expect(makeRealPath()(join(folder, 'in', 'a', 'x'))).toContain(folder);
});

it.each(['cat link/file', 'cat link/f*', 'cat l*/file', 'cd link && cat file', 'cat < link/file', 'cat later'])(
  '%j leads out of a real project',
  (command) => {
    const decision = decidePermission({
      toolName: 'Bash',
      request: { type: 'command', command },
      mode: 'default',
      rules: { allow: [], ask: [], deny: [] },
      directories: [join(folder, 'in')],
      projectDir: join(folder, 'in'),
      homeDir: '/home/ann',
    });
    expect(decision.type).toBe('ask');
  },
);
