import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../system/clock.ts';
import { systemIds } from '../../system/ids.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { hookEntries } from '../claudeCode/entries.ts';
import { CLAUDE_SETTINGS as format } from '../claudeCode/wiring.ts';
import { holdSettings } from './holdSettings.ts';
import { locateSettings } from './locateSettings.ts';

it('finds a file that is not there, and one whose folder is not', async () => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, '.claude', 'settings.json');
  const newFolder = path.dirname(file);
  expect(await locateSettings(file)).toMatchObject({ file, newFolder, state: { type: 'absent' } });
  const deep = path.join(newFolder, 'hooks', 'stopgate.json');
  expect(await locateSettings(deep)).toMatchObject({ file: deep, newFolder, state: { type: 'absent' } });
  mkdirSync(newFolder);
  expect(await locateSettings(file)).toMatchObject({ file, newFolder: undefined, state: { type: 'absent' } });
});

it('follows a link, writes its target with a note, and leaves the link', async () => {
  await using folder = await tempFolder();
  const [target, link] = [path.join(folder.path, 'dotfiles.json'), path.join(folder.path, 'settings.json')];
  writeFileSync(target, '{"a":1}');
  symlinkSync('dotfiles.json', link);
  const world = { stopgateHome: path.join(folder.path, 'home'), clock: systemClock, ids: systemIds };
  const entries = hookEntries(['countdown'], { packageRoot: '/p', stopgate: [] });
  const held = await holdSettings({ format, file: link, kind: 'launch', entries }, world);
  if (held.type !== 'held') throw new Error(held.reason);
  expect(held).toMatchObject({ file: target, notes: [expect.stringContaining(`${link} is a symbolic link`)] });
  expect(readFileSync(target, 'utf8')).toContain('# stopgate');
  await held.release();
  expect(readFileSync(link, 'utf8')).toBe('{"a":1}');
});

it.each<[string, (file: string) => void, RegExp]>([
  ['a folder', (file) => void mkdirSync(file), /is not a regular file; move it away/],
  ['a pipe', (file) => void execFileSync('mkfifo', [file]), /is not a regular file; move it away/],
  ['a link to nothing', (file) => symlinkSync('nowhere', file), /symbolic link to a missing file; create/],
  ['a link to itself', (file) => symlinkSync(path.basename(file), file), /symbolic link to a missing file/],
])('refuses %s in one sentence', async (_name, make, sentence) => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, 'settings.json');
  make(file);
  const found = await locateSettings(file);
  expect(found).toMatchObject({ type: 'refused', reason: expect.stringMatching(sentence) });
  expect(found).toMatchObject({ reason: expect.stringMatching(/^\/.* Nothing was changed\.$/) });
});

it('refuses bytes that are no UTF-8, which could not be written back', async () => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, 'settings.json');
  writeFileSync(file, Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]));
  const world = { stopgateHome: path.join(folder.path, 'home'), clock: systemClock, ids: systemIds };
  const entries = hookEntries(['countdown'], { packageRoot: '/p', stopgate: [] });
  expect(await holdSettings({ format, file, kind: 'init', entries }, world)).toMatchObject({
    type: 'refused',
    reason: expect.stringContaining('settings.json:1:1 cannot be edited: it is not UTF-8 text'),
  });
});
