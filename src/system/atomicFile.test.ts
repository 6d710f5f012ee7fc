import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../testing/tempFolder.ts';
import { writeFileAtomically } from './atomicFile.ts';

describe('writeFileAtomically', () => {
  it('creates a file and leaves nothing beside it', async () => {
    await using folder = await tempFolder();
    await writeFileAtomically(join(folder.path, 'a.txt'), 'hello');
    expect(await readdir(folder.path)).toEqual(['a.txt']);
    expect(await readFile(join(folder.path, 'a.txt'), 'utf8')).toBe('hello');
  });

  it('keeps the mode of a file that was there', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'run.sh');
    await writeFile(path, 'old');
    await chmod(path, 0o751);
    await writeFileAtomically(path, 'new');
    expect((await stat(path)).mode & 0o7777).toBe(0o751);
  });

  it('sets the given mode, whatever the umask', async () => {
    await using folder = await tempFolder();
    await writeFileAtomically(join(folder.path, 'a'), 'x', { mode: 0o666 });
    expect((await stat(join(folder.path, 'a'))).mode & 0o7777).toBe(0o666);
  });

  it('removes what an earlier write left under the given name', async () => {
    await using folder = await tempFolder();
    await writeFile(join(folder.path, '.a.tmp'), 'torn');
    await writeFileAtomically(join(folder.path, 'a'), 'x', { beside: '.a.tmp' });
    expect(await readdir(folder.path)).toEqual(['a']);
  });

  it('writes through symbolic links and keeps them', async () => {
    await using folder = await tempFolder();
    const at = (name: string) => join(folder.path, name);
    await mkdir(at('real/deep'), { recursive: true });
    await symlink('real/deep', at('folder'));
    await symlink('../target', at('real/deep/inner'));
    await symlink(at('folder/inner'), at('outer'));
    await writeFileAtomically(at('outer'), 'through');
    expect(await readFile(at('real/target'), 'utf8')).toBe('through');
    expect((await lstat(at('outer'))).isSymbolicLink()).toBe(true);
  });

  it('refuses to replace what is not a file, and a circle of links', async () => {
    await using folder = await tempFolder();
    await symlink('circle', join(folder.path, 'circle'));
    await expect(writeFileAtomically('/dev/null', 'x')).rejects.toThrow('not a regular file');
    await expect(writeFileAtomically(join(folder.path, 'circle'), 'x')).rejects.toThrow('circle');
  });

  it('leaves the old file and nothing else when it fails', async () => {
    await using folder = await tempFolder();
    await writeFile(join(folder.path, 'a'), 'old');
    const broken = { length: 1 } as unknown as Uint8Array;
    await expect(writeFileAtomically(join(folder.path, 'a'), broken)).rejects.toThrow();
    expect(await readdir(folder.path)).toEqual(['a']);
    expect(await readFile(join(folder.path, 'a'), 'utf8')).toBe('old');
  });
});
