import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../testing/tempFolder.ts';
import { withExactFolder } from './exactFolder.ts';

it('writes into the folder itself, also when a link takes its name meanwhile', async () => {
  await using temp = await tempFolder();
  const [folder, elsewhere] = [join(temp.path, 'folder'), join(temp.path, 'elsewhere')];
  for (const made of [folder, elsewhere]) mkdirSync(made);
  await withExactFolder(folder, async (at) => {
    renameSync(folder, join(temp.path, 'moved'));
    symlinkSync(elsewhere, folder);
    await writeFile(join(at, 'file'), 'x');
  });
  expect(await readdir(elsewhere)).toEqual([]);
  expect(await readdir(join(temp.path, 'moved'))).toEqual(['file']);
});

it('refuses a folder that is reached by a link', async () => {
  await using temp = await tempFolder();
  mkdirSync(join(temp.path, 'real/inner'), { recursive: true });
  symlinkSync('real', join(temp.path, 'link'));
  const used = (folder: string) => withExactFolder(join(temp.path, folder), async () => 'used');
  expect(await used('real/inner')).toBe('used');
  await expect(used('link')).rejects.toThrow('is a symbolic link that leads elsewhere');
  await expect(used('link/inner')).rejects.toThrow('is a symbolic link that leads elsewhere');
  rmSync(join(temp.path, 'link'));
});
