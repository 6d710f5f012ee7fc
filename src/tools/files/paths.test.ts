import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testToolContext } from '../../testing/toolContext.ts';
import { absolutePath, pathForRules } from './paths.ts';

describe('absolutePath', () => {
  it.each([
    ['a.ts', 'PROJECT/a.ts'],
    ['./x/../a.ts', 'PROJECT/a.ts'],
    ['/etc/../etc/hosts', '/etc/hosts'],
    ['~/a', 'PROJECT/a'],
    ['~', 'PROJECT'],
    ['~x', 'PROJECT/~x'],
  ])('%s is %s', async (path, expected) => {
    await using context = await testToolContext();
    expect(absolutePath(path, context)).toBe(expected.replace('PROJECT', context.directory.projectDir));
  });
});

describe('pathForRules', () => {
  it.each([
    ['a file', 'a.ts', 'PROJECT/a.ts'],
    ['a link inside', 'inside/x', 'PROJECT/inside/x'],
    ['a link that leads out', 'out/hosts', '/etc/hosts'],
    ['a new file behind a link that leads out', 'out/new/file', '/etc/new/file'],
    ['a link to what does not exist yet', 'dangling', '/etc/not-there-yet'],
    ['a way out without a link', '../x', 'PARENT/x'],
  ])('shows rules %s', async (_name, path, expected) => {
    await using context = await testToolContext();
    const { projectDir } = context.directory;
    await mkdir(join(projectDir, 'folder'));
    await symlink('folder', join(projectDir, 'inside'));
    await symlink('/etc', join(projectDir, 'out'));
    await symlink('/etc/not-there-yet', join(projectDir, 'dangling'));
    const where = expected.replace('PROJECT', projectDir).replace('PARENT', join(projectDir, '..'));
    expect(pathForRules(path, context)).toBe(where);
  });
});
