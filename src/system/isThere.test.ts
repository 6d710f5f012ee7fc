import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../testing/tempFolder.ts';
import { isThere } from './isThere.ts';

it('sees files, folders and links into nothing, and nothing below a file', async () => {
  await using folder = await tempFolder();
  writeFileSync(join(folder.path, 'file'), '');
  symlinkSync('none', join(folder.path, 'link'));
  const seen = ['.', 'file', 'link', 'none', 'file/below'].map((name) => isThere(join(folder.path, name)));
  expect(seen).toEqual([true, true, true, false, false]);
});
