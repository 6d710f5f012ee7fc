import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../testing/tempFolder.ts';
import { findProgram } from './findProgram.ts';

it('finds what would be started: by name, by path, by a link, and nothing that cannot be', async () => {
  await using folder = await tempFolder();
  const at = (...parts: string[]) => path.join(folder.path, ...parts);
  for (const made of ['first', 'second', 'second/folder']) mkdirSync(at(made));
  for (const file of ['first/plain', 'second/plain', 'second/tool']) writeFileSync(at(file), '');
  for (const file of ['second/plain', 'second/tool']) chmodSync(at(file), 0o755);
  symlinkSync(at('second/tool'), at('first/link'));
  symlinkSync(at('nowhere'), at('first/dangling'));
  const find = (name: string) => findProgram(name, at('second'), `${at('first')}:${at('second')}`);
  expect(find('tool')).toBe(at('second/tool'));
  expect(find('link')).toBe(at('first/link'));
  // the first of that name may not be executed
  expect(find('plain')).toBe(at('second/plain'));
  expect(find('./tool')).toBe(at('second/tool'));
  expect(find('../second/tool')).toBe(at('second/tool'));
  expect(find(at('second/tool'))).toBe(at('second/tool'));
  for (const name of ['nothing', 'folder', 'dangling', './link', '/nowhere/tool']) expect(find(name), name).toBeNull();
});

it('uses the default of the system without PATH', () => {
  expect(findProgram('sh', '/', undefined)).toMatch(/\/bin\/sh$/);
});
