import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { findRunFiles } from './runFiles.ts';

const sh = (text: string) => ({ file: '/bin/sh', args: ['-c', text] });

it.each<[string, { file: string; args: string[] }, string[]]>([
  ['a script of a shell', sh('sh run.sh --now'), ['run.sh']],
  ['a script by its path', sh('"$CLAUDE_PROJECT_DIR"/run.sh'), ['run.sh']],
  ['what a shell with options gets', { file: 'bash', args: ['--norc', '-c', 'cd sub && sh in.sh'] }, ['sub/in.sh']],
  ['words without a shell', { file: 'node', args: ['--import', './lib.mjs', 'main.mjs'] }, ['lib.mjs', 'main.mjs']],
  ['a link, and where it leads', sh('sh linked/in.sh'), ['linked/in.sh', 'sub/in.sh']],
  ['the main script of a package', sh('node .'), ['start.js']],
  ['a script without its extension', sh('node ./tool'), ['tool.js']],
  ['a module of Python', sh('python3 -m pkg.check -v'), ['pkg/check.py']],
  ['a package of Python', sh('python3 pkg'), ['pkg/__main__.py']],
  ['what a makefile includes', sh('make all'), ['Makefile', 'inc.mk']],
  ['no program', sh('eslint . && touch run.sh'), []],
])('finds %s', async (_name, command, expected) => {
  await using folder = await tempFolder();
  mkdirSync(path.join(folder.path, 'sub'));
  symlinkSync('sub', path.join(folder.path, 'linked'));
  mkdirSync(path.join(folder.path, 'pkg'));
  const scripts = [
    'run.sh',
    'sub/in.sh',
    'main.mjs',
    'lib.mjs',
    'start.js',
    'tool.js',
    'pkg/check.py',
    'pkg/__main__.py',
    'inc.mk',
  ];
  for (const file of scripts) writeFileSync(path.join(folder.path, file), '');
  writeFileSync(path.join(folder.path, 'package.json'), '{"main":"start.js"}');
  writeFileSync(path.join(folder.path, 'Makefile'), 'include inc.mk\nall:\n\ttrue\n');
  const { scripts: found, isCut } = findRunFiles([{ ...command, cwd: folder.path }], folder.path);
  const names = found.map((file) => path.relative(folder.path, file));
  expect([names.filter((name) => expected.includes(name)).sort(), isCut]).toEqual([[...expected].sort(), false]);
});

it.each<[string, Readonly<Record<string, string>>, string[], string[]]>([
  [
    'node main.mjs',
    { 'main.mjs': 'import "./a.js"; import("./b");', 'a.ts': '', 'b.js': 'require("./c.cjs")' },
    ['a.ts', 'b.js', 'main.mjs'],
    ['a.js', 'b', 'c.cjs', 'c.cts'],
  ],
  [
    'python3 main.py',
    { 'main.py': 'import os, lib\nfrom deep.x import y\n', 'lib.py': '', 'deep/x.py': '' },
    ['deep/x.py', 'lib.py', 'main.py'],
    ['deep/x/__init__.py', 'lib/__init__.py', 'os.py', 'os/__init__.py'],
  ],
])('follows the modules of %s only where that is wanted', async (command, files, scripts, absent) => {
  await using folder = await tempFolder();
  mkdirSync(path.join(folder.path, 'deep'));
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder.path, file), text);
  const find = (modules: boolean) => findRunFiles([{ ...sh(command), cwd: folder.path }], folder.path, { modules });
  const inside = (list: readonly string[]) => list.map((file) => path.relative(folder.path, file)).sort();
  expect([inside(find(true).scripts), inside(find(true).absent)]).toEqual([scripts, absent]);
  expect(inside(find(false).scripts)).toHaveLength(1);
});
