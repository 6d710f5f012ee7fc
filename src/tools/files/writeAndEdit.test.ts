import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, testToolContext } from '../../testing/toolContext.ts';
import type { Tool } from '../tool.ts';
import { editTool } from './edit.ts';
import { readTool } from './read.ts';
import { writeTool } from './write.ts';

async function project() {
  const context = await testToolContext();
  const at = (name: string) => join(context.directory.projectDir, name);
  const call = async (tool: Tool, input: object) => (await callTool(tool, input, context)).outcome;
  return {
    at,
    put: (name: string, content: string | Buffer) => writeFile(at(name), content),
    get: (name: string) => readFile(at(name), 'utf8'),
    bytes: (name: string) => readFile(at(name)),
    read: (name: string) => call(readTool, { file_path: name }),
    write: (name: string, content: string) => call(writeTool, { file_path: name, content }),
    edit: (name: string, old_string: string, new_string: string, more: object = {}) =>
      call(editTool, { file_path: name, old_string, new_string, ...more }),
    [Symbol.asyncDispose]: () => context[Symbol.asyncDispose](),
  };
}

const failed = (text: string) => ({ type: 'failed', message: expect.stringContaining(text) });

describe('Write', () => {
  it('creates a file with its directories', async () => {
    await using files = await project();
    expect(await files.write('a/b/c.txt', 'hi')).toEqual({
      type: 'done',
      output: {
        type: 'create',
        filePath: files.at('a/b/c.txt'),
        content: 'hi',
        structuredPatch: [],
        originalFile: null,
        userModified: false,
      },
      content: expect.stringContaining(`File created successfully at: ${files.at('a/b/c.txt')}`),
    });
    expect(await files.get('a/b/c.txt')).toBe('hi');
  });

  it('replaces a file that was read, and one that it wrote itself', async () => {
    await using files = await project();
    await files.put('a', 'old\n');
    await files.read('a');
    expect(await files.write('a', 'new\n')).toMatchObject({
      type: 'done',
      output: { type: 'update', originalFile: 'old\n', structuredPatch: [{ lines: ['-old', '+new'] }] },
    });
    expect(await files.write('a', 'newer')).toMatchObject({ type: 'done' });
    expect(await files.get('a')).toBe('newer');
  });

  it('replaces a file that was not read, and refuses one that changed since, and a directory', async () => {
    await using files = await project();
    await files.put('a', 'old');
    await mkdir(files.at('folder'));
    expect(await files.write('a', 'new')).toMatchObject({ type: 'done', output: { type: 'update' } });
    await files.put('a', 'old');
    expect(await files.write('a', 'new')).toEqual(failed('File has been modified since read'));
    expect(await files.write('folder', 'new')).toEqual(failed('is a directory'));
    expect(await files.write('a/b', 'new')).toEqual(failed('a part of its path is not a directory'));
    expect(await files.get('a')).toBe('old');
  });

  it('keeps CRLF and the byte order mark', async () => {
    await using files = await project();
    await files.put('a', '\uFEFFa\r\nb\r\n');
    await files.read('a');
    await files.write('a', 'x\ny\n');
    expect(await files.get('a')).toBe('\uFEFFx\r\ny\r\n');
  });
});

describe('Edit', () => {
  it('replaces one place and reports it to hooks', async () => {
    await using files = await project();
    await files.put('a', 'one\ntwo\n');
    await files.read('a');
    expect(await files.edit('a', 'two', '2')).toEqual({
      type: 'done',
      output: {
        filePath: files.at('a'),
        oldString: 'two',
        newString: '2',
        originalFile: 'one\ntwo\n',
        structuredPatch: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' one', '-two', '+2'] }],
        userModified: false,
        replaceAll: false,
      },
      content: `The file ${files.at('a')} has been updated successfully. (file state is current in your context — no need to Read it back)`,
    });
    expect(await files.edit('a', 'one', '1')).toMatchObject({ type: 'done' });
    expect(await files.get('a')).toBe('1\n2\n');
  });

  it('replaces every place with replace_all', async () => {
    await using files = await project();
    await files.put('a', 'x x x');
    await files.read('a');
    expect(await files.edit('a', 'x', 'y', { replace_all: true })).toMatchObject({
      content: expect.stringContaining('All occurrences were successfully replaced.'),
      output: { replaceAll: true },
    });
  });

  it('reports why it did not', async () => {
    await using files = await project();
    await files.put('a', 'x x');
    expect(await files.edit('a', 'x', 'y')).toEqual(failed('Found 2 matches'));
    expect(await files.edit('a', 'z', 'y')).toEqual(failed('String to replace not found in file.'));
    expect(await files.edit('a', 'x', 'x')).toEqual(failed('are exactly the same'));
    expect(await files.edit('a', '', 'y')).toEqual(failed('file already exists'));
    expect(await files.edit('b', 'x', 'y')).toEqual(failed('File does not exist.'));
    expect(await files.get('a')).toBe('x x');
  });

  it('creates a file from nothing', async () => {
    await using files = await project();
    expect(await files.edit('new', '', 'text')).toMatchObject({ type: 'done' });
    expect(await files.get('new')).toBe('text');
  });

  it('reports that a file was changed since, even at the same time and size', async () => {
    await using files = await project();
    await files.put('a', 'old');
    const { atime, mtime } = await stat(files.at('a'));
    await files.read('a');
    await files.put('a', 'new');
    await utimes(files.at('a'), atime, mtime);
    expect(await files.edit('a', 'new', 'x')).toMatchObject({
      content: expect.stringContaining('the file had been modified on disk since you last read it'),
    });
    expect(await files.edit('a', 'x', 'y')).toMatchObject({
      content: expect.stringContaining('file state is current'),
    });
  });

  it('takes a file that was only touched', async () => {
    await using files = await project();
    await files.put('a', 'old');
    await files.read('a');
    await utimes(files.at('a'), 1, 1);
    expect(await files.edit('a', 'old', 'new')).toMatchObject({ type: 'done' });
  });

  it('keeps mode, links and encodings, and leaves nothing beside', async () => {
    await using files = await project();
    await files.put('run.sh', 'echo a\n');
    await chmod(files.at('run.sh'), 0o755);
    await symlink('run.sh', files.at('link'));
    await files.read('link');
    expect(await files.edit('link', 'a', 'b')).toMatchObject({ type: 'done' });
    expect((await stat(files.at('run.sh'))).mode & 0o777).toBe(0o755);
    expect((await lstat(files.at('link'))).isSymbolicLink()).toBe(true);
    expect(await files.get('run.sh')).toBe('echo b\n');
    expect(await readdir(files.at('.'))).toEqual(['link', 'run.sh']);
    // read through the link, changed by its own name
    expect(await files.edit('run.sh', 'b', 'c')).toMatchObject({ type: 'done' });
  });

  it.each([
    ['UTF-16', Buffer.from('\uFEFFä b', 'utf16le'), Buffer.from('\uFEFFä c', 'utf16le')],
    ['Latin-1', Buffer.from('ä b', 'latin1'), Buffer.from('ä c', 'latin1')],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFä b'), Buffer.from('\uFEFFä c')],
  ])('keeps %s', async (_name, before, after) => {
    await using files = await project();
    await files.put('a', before);
    await files.read('a');
    await files.edit('a', 'b', 'c');
    expect(await files.bytes('a')).toEqual(after);
  });
});
