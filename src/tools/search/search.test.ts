import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, testToolContext } from '../../testing/toolContext.ts';
import type { Tool } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { makeGlobTool } from './glob.ts';
import { makeGrepTool } from './grep.ts';
import { findRipgrep } from './ripgrep.ts';

/** Files with their content; each is a second older than the one before it. */
async function project(files: Readonly<Record<string, string>>, overrides: Partial<ToolContext> = {}) {
  const context = await testToolContext(overrides);
  const { projectDir } = context.directory;
  for (const [age, [name, content]] of Object.entries(files).entries()) {
    await mkdir(dirname(join(projectDir, name)), { recursive: true });
    await writeFile(join(projectDir, name), content);
    await utimes(join(projectDir, name), 1_000_000 - age, 1_000_000 - age);
  }
  const call = async (tool: Tool, input: object) => {
    const { outcome } = await callTool(tool, input, context);
    return JSON.parse(JSON.stringify(outcome).replaceAll(projectDir, 'PROJECT'));
  };
  return { context, call, [Symbol.asyncDispose]: () => context[Symbol.asyncDispose]() };
}

const FILES = {
  'src/new.ts': 'const a = 1;\nfoo();\nconst b = 2;\n',
  'src/deep/old.ts': 'foo();\nFOO();\n',
  'readme.md': 'foo bar\n',
  '.hidden/x.ts': 'foo();\n',
  '.gitignore': 'ignored/\n*.log\n',
  'ignored/skip.ts': 'foo();\n',
  'a.log': 'foo\n',
  '.git/config.ts': 'foo();\n',
};

const noRipgrep = async () => null;

it('has the ripgrep of its package', async () => {
  expect(await findRipgrep()).toMatch(/rg$/);
});

describe('what permission rules keep from being read', () => {
  const mayShow = (path: string) => !path.endsWith('.md') && !path.includes('/deep/');
  const LEFT_OUT = 'Files that permission rules hide were left out.';

  it.each([
    [{}, `Found 2 files\nsrc/new.ts\n.hidden/x.ts\n${LEFT_OUT}`],
    [{ path: 'src', output_mode: 'count' }, `src/new.ts:1\n\nFound 1 total occurrence across 1 file.\n${LEFT_OUT}`],
    [{ path: 'src', output_mode: 'content', '-A': 1 }, `src/new.ts:2:foo();\nsrc/new.ts-3-const b = 2;\n${LEFT_OUT}`],
    [{ glob: '*.md' }, `No files found\n${LEFT_OUT}`],
    [{ path: 'src/new.ts', output_mode: 'content' }, '2:foo();'],
  ])('is left out of Grep, with a note: %j', async (input, content) => {
    await using files = await project(FILES, { mayShow });
    for (const grep of [makeGrepTool(), ...('path' in input && !('-A' in input) ? [makeGrepTool(noRipgrep)] : [])]) {
      const found = await files.call(grep, { pattern: 'foo', ...input });
      expect(found.content.replace(/ripgrep was not found.*\n?/, '').trim()).toBe(content);
    }
  });

  it('is left out of Glob, with a note', async () => {
    await using files = await project(FILES, { mayShow });
    expect(await files.call(makeGlobTool(), { pattern: '*.md' })).toMatchObject({
      output: { filenames: [], totalMatches: 0, countIsComplete: true },
      content: `No files found\n${LEFT_OUT}`,
    });
    expect(await files.call(makeGlobTool(), { pattern: 'src/*.ts' })).toMatchObject({ content: 'src/new.ts' });
  });
});

describe('Glob', () => {
  const glob = makeGlobTool();

  it.each([
    ['**/*.ts', ['src/new.ts', 'src/deep/old.ts', '.hidden/x.ts']],
    ['*.ts', ['src/new.ts', 'src/deep/old.ts', '.hidden/x.ts']],
    ['src/*.ts', ['src/new.ts']],
    ['src/**', ['src/new.ts', 'src/deep/old.ts']],
    ['{readme,other}.md', ['readme.md']],
    ['readme.md', ['readme.md']],
    ['src/new.ts', ['src/new.ts']],
    ['./src/*.ts', ['src/new.ts']],
    ['*.log', []],
    ['ignored/*.ts', ['ignored/skip.ts']],
  ])('finds %s, newest first', async (pattern, filenames) => {
    await using files = await project(FILES);
    expect(await files.call(glob, { pattern })).toMatchObject({
      type: 'done',
      output: { filenames, numFiles: filenames.length, truncated: false },
      content: filenames.join('\n') || 'No files found',
    });
  });

  it('starts at path, and shows outside paths in full', async () => {
    await using files = await project(FILES);
    const { directory } = files.context;
    const found = async (input: object) => (await files.call(glob, input)).output?.filenames;
    expect(await found({ pattern: '*.ts', path: 'src/deep' })).toEqual(['src/deep/old.ts']);
    expect(await found({ pattern: `${directory.projectDir}/src/*.ts` })).toEqual(['src/new.ts']);
    directory.moveTo(join(directory.projectDir, 'src/deep'));
    expect(await found({ pattern: '../*.ts' })).toEqual(['PROJECT/src/new.ts']);
    expect(glob.permission({ pattern: '../*.ts' }, files.context)).toEqual({
      type: 'read',
      path: join(directory.projectDir, 'src'),
    });
  });

  it('shows 100 and reports that there are more', async () => {
    await using files = await project(Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`f${i}.ts`, ''])));
    const { output, content } = await files.call(glob, { pattern: '*.ts' });
    expect(output).toMatchObject({ numFiles: 100, truncated: true });
    expect(output.filenames[0]).toBe('f0.ts');
    expect(content).toMatch(/\n120 files match; the 100 most recently changed are shown\./);
  });

  it('is a sentence where there is no such directory', async () => {
    await using files = await project({});
    expect(await files.call(glob, { pattern: '*', path: 'no' })).toEqual({
      type: 'failed',
      message: 'Directory does not exist: PROJECT/no. Note: your current working directory is PROJECT.',
    });
  });

  it('walks by itself without ripgrep, and reports it', async () => {
    await using files = await project(FILES);
    const { output, content } = await files.call(makeGlobTool(noRipgrep), { pattern: 'src/**/*.ts' });
    expect(output.filenames).toEqual(['src/new.ts', 'src/deep/old.ts']);
    expect(content).toMatch(/ripgrep was not found: .* ignores \.gitignore\.$/);
  });
});

describe('Grep', () => {
  const grep = makeGrepTool();

  it.each([
    ['files, newest first', {}, 'Found 4 files\nsrc/new.ts\nsrc/deep/old.ts\nreadme.md\n.hidden/x.ts'],
    ['files that fit a glob', { glob: '*.md' }, 'Found 1 file\nreadme.md'],
    ['files that fit one of several globs', { glob: '*.md, x.ts' }, 'Found 2 files\nreadme.md\n.hidden/x.ts'],
    ['files but not those of a glob', { glob: '!*.ts' }, 'Found 1 file\nreadme.md'],
    [
      'no ignored files for a glob that fits all',
      { glob: '**/*', path: 'src' },
      'Found 2 files\nsrc/new.ts\nsrc/deep/old.ts',
    ],
    ['files of a type', { type: 'md' }, 'Found 1 file\nreadme.md'],
    ['files in a directory', { path: 'src/deep' }, 'Found 1 file\nsrc/deep/old.ts'],
    ['nothing', { pattern: 'nowhere' }, 'No files found'],
    ['lines', { output_mode: 'content', path: 'src/deep' }, 'src/deep/old.ts:1:foo();'],
    [
      'lines without case',
      { output_mode: 'content', path: 'src/deep', '-i': true },
      'src/deep/old.ts:1:foo();\nsrc/deep/old.ts:2:FOO();',
    ],
    ['lines without numbers', { output_mode: 'content', path: 'src/deep', '-n': false }, 'src/deep/old.ts:foo();'],
    ['lines of one file', { output_mode: 'content', path: 'readme.md' }, '1:foo bar'],
    [
      'lines with their neighbours',
      { output_mode: 'content', path: 'src/new.ts', '-C': 1 },
      '1-const a = 1;\n2:foo();\n3-const b = 2;',
    ],
    [
      'lines before and after',
      { output_mode: 'content', path: 'src/new.ts', '-B': 1, '-A': 0 },
      '1-const a = 1;\n2:foo();',
    ],
    ['no lines', { output_mode: 'content', pattern: 'nowhere' }, 'No matches found'],
    ['matches over lines', { pattern: 'a = 1;.foo', multiline: true }, 'Found 1 file\nsrc/new.ts'],
    [
      'how many lines',
      { output_mode: 'count', path: 'src/deep', '-i': true },
      'src/deep/old.ts:2\n\nFound 2 total occurrences across 1 file.',
    ],
    ['a pattern like an option', { pattern: '--pre' }, 'No files found'],
  ])('finds %s', async (_name, input, content) => {
    await using files = await project(FILES);
    expect(await files.call(grep, { pattern: 'foo', ...input })).toMatchObject({ type: 'done', content });
  });

  it('reports to hooks in their familiar shape', async () => {
    await using files = await project(FILES);
    const output = async (mode: string) =>
      (await files.call(grep, { pattern: 'foo', path: 'src', output_mode: mode })).output;
    expect(await output('files_with_matches')).toEqual({
      mode: 'files_with_matches',
      filenames: ['src/new.ts', 'src/deep/old.ts'],
      numFiles: 2,
      totalFiles: 2,
    });
    expect(await output('count')).toMatchObject({ mode: 'count', numFiles: 2, numMatches: 2 });
    expect(await output('content')).toMatchObject({ mode: 'content', numLines: 2, totalLines: 2, filenames: [] });
  });

  it('shows up to head_limit, and how to continue', async () => {
    await using files = await project({ a: 'x\n'.repeat(300) });
    const lines = async (input: object) =>
      (await files.call(grep, { pattern: 'x', output_mode: 'content', ...input })).content.split('\n');
    expect(await lines({})).toHaveLength(251);
    expect((await lines({})).at(-1)).toBe('250 of 300 are shown. Continue with offset 250, or narrow the search.');
    expect(await lines({ head_limit: 2, offset: 298 })).toEqual(['a:299:x', 'a:300:x']);
    expect(await lines({ head_limit: 0 })).toHaveLength(300);
  });

  it('bounds what is shown', async () => {
    await using files = await project({ a: `${'x'.repeat(450)}\n`.repeat(200) });
    const { content } = await files.call(grep, { pattern: 'x', output_mode: 'content' });
    expect(content.length).toBeLessThan(31_000);
    expect(content).toMatch(/\d+ characters in the middle were left out\. Narrow the search\.$/);
  });

  it('is a sentence for a broken pattern, an unknown type and a missing path', async () => {
    await using files = await project(FILES);
    expect((await files.call(grep, { pattern: '(' })).message).toMatch(
      /^Search failed — [\s\S]*\nrg: regex parse error/,
    );
    expect((await files.call(grep, { pattern: 'x', type: 'nope' })).message).toContain('unrecognized file type: nope');
    expect((await files.call(grep, { pattern: 'x', path: 'no' })).message).toContain(
      'Path does not exist: PROJECT/no.',
    );
  });

  it('is interrupted by an abort', async () => {
    await using files = await project(FILES);
    const context = { ...files.context, signal: AbortSignal.abort() };
    const { outcome } = await callTool(grep, { pattern: 'x' }, context);
    expect(outcome).toEqual({ type: 'failed', message: 'The search was interrupted.', interrupted: true });
  });

  it.each([
    ['files', {}, 'Found 2 files\nsrc/new.ts\nsrc/deep/old.ts'],
    ['lines', { output_mode: 'content', glob: 'new.*' }, 'src/new.ts:2:foo();'],
    [
      'counts',
      { output_mode: 'count', '-i': true, glob: 'src/deep/*', path: '.' },
      'src/deep/old.ts:2\n\nFound 2 total occurrences across 1 file.',
    ],
  ])('finds %s without ripgrep, and reports it', async (_name, input, expected) => {
    await using files = await project(FILES);
    const { content } = await files.call(makeGrepTool(noRipgrep), { pattern: 'foo', path: 'src', ...input });
    expect(content).toContain(`${expected}\nripgrep was not found`);
  });

  it('reports what has no effect without ripgrep', async () => {
    await using files = await project(FILES);
    const plain = makeGrepTool(noRipgrep);
    const { content } = await files.call(plain, { pattern: 'foo', '-A': 1, type: 'ts' });
    expect(content).toMatch(/Without ripgrep, these options have no effect: type, -A\.$/);
    expect((await files.call(plain, { pattern: '(' })).message).toMatch(
      /^The search failed: Invalid regular expression/,
    );
  });
});
