import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, testToolContext } from '../../testing/toolContext.ts';
import { nearestFile } from './missingFile.ts';
import { readTool } from './read.ts';

const EMPTY = '<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function readingOf(content: string | Buffer, input: object = {}) {
  await using context = await testToolContext();
  await writeFile(join(context.directory.projectDir, 'file'), content);
  const { outcome } = await callTool(readTool, { file_path: 'file', ...input }, context);
  return JSON.parse(JSON.stringify(outcome).replaceAll(context.directory.projectDir, 'PROJECT'));
}

describe('Read', () => {
  it('numbers lines and reports to hooks what it read', async () => {
    expect(await readingOf('one\ntwo\n')).toEqual({
      type: 'done',
      output: {
        type: 'text',
        file: { filePath: 'PROJECT/file', content: 'one\ntwo\n', numLines: 3, startLine: 1, totalLines: 3 },
      },
      content: '1\tone\n2\ttwo\n3\t',
    });
  });

  it('reads a part and reports what is left', async () => {
    expect(await readingOf('a\nb\nc\nd', { offset: 2, limit: 2 })).toMatchObject({
      output: { file: { content: 'b\nc', numLines: 2, startLine: 2, totalLines: 4 } },
      content: '2\tb\n3\tc',
    });
    expect(await readingOf('a\nb', { offset: 7 })).toMatchObject({
      content: expect.stringContaining('shorter than the provided offset (7). The file has 2 lines.'),
    });
  });

  it('stops at 2000 lines and at 100,000 characters', async () => {
    const many = await readingOf('x\n'.repeat(3000));
    expect(many.content).toMatch(/Lines 1 to 2000 of 3000 are shown\. Continue with offset 2001\.$/);
    const wide = await readingOf(`${'y'.repeat(1500)}\n`.repeat(100));
    expect(wide.content).toMatch(/Lines 1 to 66 of 100 are shown \(more than 100000 characters\)\./);
    expect(wide.content.length).toBeLessThan(101_000);
  });

  it('cuts a long line and reports it', async () => {
    const { content, output } = await readingOf('z'.repeat(5000));
    expect(content).toMatch(/z{2000} \[… 3000 more characters in this line\]$/);
    expect(output.file.content).toHaveLength(5000);
  });

  it.each([
    ['an empty file', '', EMPTY],
    ['CRLF and a byte order mark', '\uFEFFa\r\nb\r\n', '1\ta\n2\tb\n3\t'],
    ['UTF-16', Buffer.from('\uFEFFä\n', 'utf16le'), '1\tä\n2\t'],
    ['Latin-1', Buffer.from('grün', 'latin1'), '1\tgrün'],
  ])('reads %s', async (_name, bytes, content) => {
    expect(await readingOf(bytes)).toMatchObject({ type: 'done', content });
  });

  it('shows an image, whatever its name', async () => {
    const data = PNG.toString('base64');
    expect(await readingOf(PNG)).toEqual({
      type: 'done',
      output: { type: 'image', file: { base64: data, type: 'image/png', originalSize: PNG.length } },
      content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }],
    });
    const large = await readingOf(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(4_000_000)]));
    expect(large.message).toMatch(/image of 4 MB, more than a model accepts \(8000 pixels per side and 3\.75 MB\)/);
  });

  it.each([
    ['JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg'],
    ['GIF', Buffer.from('GIF89a...'), 'image/gif'],
    ['WebP', Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 'image/webp'],
  ])('knows a %s', async (_name, bytes, type) => {
    expect(await readingOf(bytes)).toMatchObject({ output: { file: { type } } });
  });

  it('refuses what is not a text', async () => {
    expect((await readingOf(Buffer.from([1, 0, 2]))).message).toMatch(/^PROJECT\/file is a binary file\./);
    await using context = await testToolContext();
    const { projectDir } = context.directory;
    await mkdir(join(projectDir, 'folder'));
    await writeFile(join(projectDir, 'huge'), '');
    await truncate(join(projectDir, 'huge'), 60 * 1024 * 1024);
    const message = async (file_path: string) => (await callTool(readTool, { file_path }, context)).outcome;
    expect(await message('folder')).toMatchObject({
      message: expect.stringContaining('EISDIR: illegal operation on a directory'),
    });
    expect(await message('/dev/zero')).toMatchObject({ message: expect.stringContaining('not a regular file') });
    expect(await message('huge')).toMatchObject({ message: expect.stringContaining('has 60 MB') });
  });

  it('names the nearest file when one is missing', async () => {
    await using context = await testToolContext();
    const { projectDir } = context.directory;
    await writeFile(join(projectDir, 'config.yaml'), '');
    const message = async (file_path: string) => (await callTool(readTool, { file_path }, context)).outcome;
    expect(await message('config.yml')).toEqual({
      type: 'failed',
      message: `File does not exist. Note: your current working directory is ${projectDir}. Did you mean config.yaml?`,
    });
    expect(await message('other')).toEqual({
      type: 'failed',
      message: `File does not exist. Note: your current working directory is ${projectDir}.`,
    });
    expect(await message('no/x')).toMatchObject({ message: expect.stringContaining('File does not exist.') });
  });
});

it.each([
  ['index.ts', ['index.js', 'other.ts'], 'index.js'],
  ['README.MD', ['readme.md'], 'readme.md'],
  ['handelr.ts', ['handler.ts', 'main.ts'], 'handler.ts'],
  ['handler.ts', ['handle.ts', 'handlers.ts'], 'handle.ts'],
  ['a.ts', ['zzz.ts', 'bcd.ts'], undefined],
  ['.env', ['.envrc', '.git'], '.envrc'],
  ['x', [], undefined],
])('the nearest to %s in %j is %s', (name, names, expected) => {
  expect(nearestFile(name, names)).toBe(expected);
});
