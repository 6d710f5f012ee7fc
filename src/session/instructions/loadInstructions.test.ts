import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FolderTrust, TRUSTED } from '../trust/folderTrust.ts';
import { loadInstructions } from './loadInstructions.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'stopgate-')));
  await mkdir(join(root, 'home'));
  await mkdir(join(root, 'repo/.git'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true }));

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

async function load(cwd: string, more: { trust?: FolderTrust; projectDir?: string } = {}) {
  await mkdir(join(root, cwd), { recursive: true });
  const { files, problems } = await loadInstructions({
    cwd: join(root, cwd),
    homeDir: join(root, 'home'),
    env: {},
    ...more,
  });
  return {
    files: files.map((file) => [relative(root, file.path), file.memoryType, file.content]),
    all: files,
    problems: problems.map((problem) => problem.replaceAll(`${root}/`, '')),
  };
}

describe('loadInstructions', () => {
  it('reads the person’s file, then from the git root down to the folder', async () => {
    await put('CLAUDE.md', 'above the repository');
    await put('home/.claude/CLAUDE.md', 'user');
    await put('repo/CLAUDE.md', 'one\n');
    await put('repo/.claude/CLAUDE.md', 'two');
    await put('repo/CLAUDE.local.md', 'three');
    await put('repo/sub/AGENTS.md', 'four');
    await put('repo/other/CLAUDE.md', 'elsewhere');
    expect(await load('repo/sub')).toMatchObject({
      files: [
        ['home/.claude/CLAUDE.md', 'User', 'user'],
        ['repo/CLAUDE.md', 'Project', 'one'],
        ['repo/.claude/CLAUDE.md', 'Project', 'two'],
        ['repo/CLAUDE.local.md', 'Local', 'three'],
        ['repo/sub/AGENTS.md', 'Project', 'four'],
      ],
      problems: [],
    });
  });

  it('reads the rules of a folder, and keeps those for certain paths for later', async () => {
    await put('repo/CLAUDE.md', 'one');
    await put('repo/.claude/rules/b.md', 'rule b');
    await put('repo/.claude/rules/deep/a.md', 'rule a');
    await put('repo/.claude/rules/notes.txt', 'no rule');
    await put('repo/.claude/rules/scoped.md', '---\npaths:\n  - src/**\n---\nonly there');
    const { files, problems } = await load('repo');
    expect(files.map(([path]) => path)).toEqual([
      'repo/CLAUDE.md',
      'repo/.claude/rules/b.md',
      'repo/.claude/rules/deep/a.md',
    ]);
    expect(problems).toEqual([]);
  });

  it('reads AGENTS.md only where there is no CLAUDE.md', async () => {
    await put('repo/CLAUDE.md', 'for us');
    await put('repo/AGENTS.md', 'for others');
    expect((await load('repo')).files).toEqual([['repo/CLAUDE.md', 'Project', 'for us']]);
  });

  it.each(['import', 'link'])('loads AGENTS.md once when CLAUDE.md is an %s of it', async (how) => {
    await put('repo/AGENTS.md', 'shared');
    if (how === 'import') await put('repo/CLAUDE.md', '@AGENTS.md');
    else await symlink('AGENTS.md', join(root, 'repo/CLAUDE.md'));
    const { files } = await load('repo');
    expect(files.filter(([, , content]) => content === 'shared')).toHaveLength(1);
  });

  it('reads folders above when there is no repository, but none that others can write to', async () => {
    await put('plain/CLAUDE.md', 'above');
    await put('plain/project/CLAUDE.md', 'here');
    expect((await load('plain/project')).files.map(([path]) => path)).toEqual([
      'plain/CLAUDE.md',
      'plain/project/CLAUDE.md',
    ]);
    await chmod(join(root, 'plain'), 0o777);
    const { files, problems } = await load('plain/project');
    expect(files.map(([path]) => path)).toEqual(['plain/project/CLAUDE.md']);
    expect(problems).toEqual([expect.stringContaining('plain/CLAUDE.md is not read: others can write')]);
  });

  it('takes the person’s folder from the environment', async () => {
    await put('config/CLAUDE.md', 'x');
    const env = { CLAUDE_CONFIG_DIR: join(root, 'config') };
    const { files } = await loadInstructions({ cwd: join(root, 'repo'), homeDir: join(root, 'home'), env });
    expect(files).toMatchObject([{ memoryType: 'User', content: 'x', loadReason: 'session_start' }]);
  });
});

describe('imports', () => {
  it('are read after the file that names them, with its path', async () => {
    await put('repo/CLAUDE.md', 'see @docs/a.md and `@docs/b.md`');
    await put('repo/docs/a.md', 'a, and @c.md');
    await put('repo/docs/b.md', 'b');
    await put('repo/docs/c.md', 'c');
    const { all, files } = await load('repo');
    expect(files.map(([path]) => path)).toEqual(['repo/CLAUDE.md', 'repo/docs/a.md', 'repo/docs/c.md']);
    expect(all[2]).toMatchObject({ loadReason: 'include', parentPath: join(root, 'repo/docs/a.md') });
  });

  it('end when they go in a circle', async () => {
    await put('repo/CLAUDE.md', '@a.md');
    await put('repo/a.md', '@CLAUDE.md @a.md');
    expect(await load('repo')).toMatchObject({ files: [{ length: 3 }, { length: 3 }], problems: [] });
  });

  it('go five deep and no deeper', async () => {
    await put('repo/CLAUDE.md', '@1.md');
    for (let depth = 1; depth <= 7; depth++) await put(`repo/${depth}.md`, `@${depth + 1}.md`);
    const { files, problems } = await load('repo');
    expect(files).toHaveLength(6);
    expect(problems).toEqual(['repo/6.md (imported by repo/5.md) is not read: imports may be nested 5 deep at most.']);
  });

  it.each([
    ['a path', '@~/.ssh/id.txt'],
    ['a way up', '@../home/.ssh/id.txt'],
    ['a link', '@link.md'],
    ['a linked folder', '@folder/id.txt'],
  ])('of a project do not leave it by %s', async (_, text) => {
    await put('home/.ssh/id.txt', 'secret');
    await put('repo/CLAUDE.md', text);
    await symlink(join(root, 'home/.ssh/id.txt'), join(root, 'repo/link.md'));
    await symlink(join(root, 'home/.ssh'), join(root, 'repo/folder'));
    const { files, problems } = await load('repo');
    expect(files.map(([path]) => path)).toEqual(['repo/CLAUDE.md']);
    expect(problems).toEqual([
      expect.stringContaining('(imported by repo/CLAUDE.md) is not read: it is outside the project'),
    ]);
  });

  it('of a trusted project may come from home, and the person’s own from anywhere', async () => {
    await put('home/notes.md', 'notes');
    await put('far/rules.md', 'rules');
    await put('repo/CLAUDE.local.md', '@~/notes.md');
    await put('home/.claude/CLAUDE.md', '@../../far/rules.md');
    expect((await load('repo', { trust: TRUSTED })).files.map(([, , content]) => content)).toContain('notes');
    expect((await load('repo')).files.map(([, , content]) => content)).toContain('rules');
    expect((await load('repo')).files.map(([, , content]) => content)).not.toContain('notes');
  });

  it('that do not exist are reported when they look like documents', async () => {
    await put('repo/CLAUDE.md', 'ask @ann, use @types/node, read @missing.md');
    expect((await load('repo')).problems).toEqual(['repo/missing.md (imported by repo/CLAUDE.md) does not exist.']);
  });
});

describe('a file of a project', () => {
  it('is not read when it is itself a link out of it', async () => {
    await put('home/.ssh/id', 'secret');
    await symlink(join(root, 'home/.ssh/id'), join(root, 'repo/CLAUDE.md'));
    const { files, problems } = await load('repo');
    expect(files).toEqual([]);
    expect(problems).toEqual([expect.stringContaining('repo/CLAUDE.md is not read: it is outside')]);
  });

  it('is cut at a length, and that is reported', async () => {
    await put('repo/CLAUDE.md', 'é'.repeat(200_000));
    const { files, problems } = await load('repo');
    expect(files[0]?.[2]).toBe('é'.repeat(131_072));
    expect(problems).toEqual([
      'repo/CLAUDE.md is long: only the first 256 KB of 391 KB are read; shorten it or split it.',
    ]);
  });

  it('is not read when it is not text, or a folder', async () => {
    await put('repo/CLAUDE.md', 'a\0b');
    await mkdir(join(root, 'repo/CLAUDE.local.md'));
    const { files, problems } = await load('repo');
    expect(files).toEqual([]);
    expect(problems).toEqual([
      'repo/CLAUDE.md is not read: it is not text.',
      expect.stringMatching(/^repo\/CLAUDE.local.md is not read: it is (a folder|not a regular file)/),
    ]);
  });

  it('is not one of endlessly many', async () => {
    await put('repo/CLAUDE.md', Array.from({ length: 150 }, (_, index) => `@f${index}.md`).join(' '));
    for (let index = 0; index < 150; index++) await put(`repo/f${index}.md`, 'x');
    expect((await load('repo')).files).toHaveLength(100);
  });
});
