import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../testing/tempFolder.ts';
import { findPipe } from './findPipe.ts';

const FILES = [
  ...['.gitignore', '.gitattributes', '.git/HEAD', '.git/config', '.git/commondir', '.git/index', '.git/packed-refs'],
  ...['.git/info/attributes', '.git/info/exclude', '.git/shallow', '.git/objects/info/alternates'],
  ...['.git/refs/heads/main', '.git/logs/HEAD'],
];

describe('a file in which git would wait', () => {
  it.each(FILES.flatMap((file) => [[file, 'a pipe'] as const, [file, 'a link to a device'] as const]))(
    'is found: %s as %s',
    async (file, kind) => {
      await using folder = await tempFolder();
      execFileSync('git', ['init', '-q', '-b', 'main', folder.path]);
      const at = path.join(folder.path, file);
      mkdirSync(path.dirname(at), { recursive: true });
      rmSync(at, { force: true });
      if (kind === 'a pipe') execFileSync('mkfifo', [at]);
      else symlinkSync('/dev/zero', at);
      expect(findPipe(folder.path)).toBe(at);
      mkdirSync(path.join(folder.path, 'a/b'), { recursive: true });
      expect(findPipe(path.join(folder.path, 'a/b'))).toBe(at);
    },
  );

  it('is not found in an ordinary repository, a worktree, or outside of one', async () => {
    await using folder = await tempFolder();
    expect(findPipe(folder.path)).toBeUndefined();
    execFileSync('git', ['init', '-q', folder.path]);
    expect(findPipe(folder.path)).toBeUndefined();
    expect(findPipe(path.join(folder.path, 'missing/folder'))).toBeUndefined();
  });
});
