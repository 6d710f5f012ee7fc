import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { UNTRUSTED } from '../trust/folderTrust.ts';
import { nestedInstructions } from './nestedInstructions.ts';

it('are read once, from the outermost new folder inwards, and never above or beside the project', async () => {
  await using folder = await tempFolder();
  const projectDir = path.join(folder.path, 'project');
  const write = (file: string, text: string) => {
    const target = path.join(folder.path, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
    return target;
  };
  const root = write('project/CLAUDE.md', 'root');
  const outer = write('project/a/CLAUDE.md', 'outer, see @more.md');
  const more = write('project/a/more.md', 'more');
  const inner = write('project/a/b/AGENTS.md', 'inner');
  write('beside/CLAUDE.md', 'beside');
  const nested = nestedInstructions({ projectDir, homeDir: folder.path, trust: UNTRUSTED, loaded: [root] });
  const file = path.join(projectDir, 'a/b/file.txt');
  expect([nested.isNew(file), nested.isNew(root), nested.isNew(path.join(folder.path, 'beside/x'))]).toEqual([
    true,
    false,
    false,
  ]);
  const { files, problems } = await nested.load(file);
  expect(files.map(({ path: at, loadReason }) => [at, loadReason])).toEqual([
    [outer, 'nested_traversal'],
    [more, 'include'],
    [inner, 'nested_traversal'],
  ]);
  expect(problems).toEqual([]);
  expect(nested.isNew(file)).toBe(false);
  expect((await nested.load(path.join(projectDir, 'a/other.txt'))).files).toEqual([]);
});
