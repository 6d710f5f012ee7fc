import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../testing/tempFolder.ts';
import { type FileChange, watchFiles } from './watchFiles.ts';

/** A watch whose changes can be awaited one by one. */
function changes() {
  const seen: [string, FileChange][] = [];
  let waiting: (() => void) | undefined;
  const watch = watchFiles((file, change) => {
    seen.push([path.basename(file), change]);
    waiting?.();
  });
  const next = async (): Promise<[string, FileChange]> => {
    while (seen.length === 0) await new Promise<void>((resolve) => (waiting = resolve));
    return seen.shift() as [string, FileChange];
  };
  return { watch, next };
}

it('reports a file that is created, written, replaced and removed', async () => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, 'a.json');
  const { watch, next } = changes();
  using _watch = watch;
  watch.add([file]);
  writeFileSync(file, '1');
  expect(await next()).toEqual(['a.json', 'add']);
  writeFileSync(file, '22');
  expect(await next()).toEqual(['a.json', 'change']);
  writeFileSync(`${file}.new`, '333');
  renameSync(`${file}.new`, file);
  expect(await next()).toEqual(['a.json', 'change']);
  rmSync(file);
  expect(await next()).toEqual(['a.json', 'unlink']);
});

it('waits for a folder that does not exist yet', async () => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, '.claude', 'settings.json');
  const { watch, next } = changes();
  using _watch = watch;
  watch.add([file]);
  mkdirSync(path.dirname(file));
  writeFileSync(file, '{}');
  expect(await next()).toEqual(['settings.json', 'add']);
});

it('does not report a neighbor', async () => {
  await using folder = await tempFolder();
  const { watch, next } = changes();
  using _watch = watch;
  watch.add([path.join(folder.path, 'mine')]);
  writeFileSync(path.join(folder.path, 'other'), 'x');
  writeFileSync(path.join(folder.path, 'mine'), 'x');
  expect(await next()).toEqual(['mine', 'add']);
});
