import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../testing/tempFolder.ts';
import { type FolderFacts, makeOwnFolder, whyFolderNotOwn, whyNotOwn } from './ownFolder.ts';

const FOLDER: FolderFacts = { isFolder: true, isLink: false, uid: 7, mode: 0o40700 };
const HOME = { uid: 7, others: 'mayRead', links: 'followed' } as const;
const PRIVATE = { uid: 7, others: 'mayNothing', links: 'refused' } as const;

describe('whyNotOwn', () => {
  it.each([
    ['a folder of one user', FOLDER, HOME, null],
    ['a folder that others may read', { ...FOLDER, mode: 0o40755 }, HOME, null],
    ['the same where they may not', { ...FOLDER, mode: 0o40755 }, PRIVATE, 'can be read by other users (mode 755)'],
    ['one that its group can write', { ...FOLDER, mode: 0o40770 }, HOME, 'can be written by other users (mode 770)'],
    ['one that all can write', { ...FOLDER, mode: 0o40707 }, HOME, 'can be written by other users (mode 707)'],
    ['one with a sticky bit', { ...FOLDER, mode: 0o41777 }, HOME, 'can be written by other users (mode 777)'],
    ['one of another user', { ...FOLDER, uid: 8 }, HOME, 'belongs to another user (uid 8)'],
    ['one of root', { ...FOLDER, uid: 0 }, HOME, 'belongs to another user (uid 0)'],
    ['a link', { ...FOLDER, isLink: true }, HOME, null],
    ['a link where none may be', { ...FOLDER, isLink: true }, PRIVATE, 'is a link'],
    ['a file', { ...FOLDER, isFolder: false }, HOME, 'is not a folder'],
    ['a system without users', { ...FOLDER, uid: 0, mode: 0o40777 }, { ...HOME, uid: undefined }, null],
  ] as const)('judges %s', (_what, facts, demand, expected) => {
    expect(whyNotOwn(facts, demand)).toBe(expected);
  });
});

describe('makeOwnFolder', () => {
  const strict = { others: 'mayNothing', links: 'refused' } as const;

  it('creates a folder that only its owner can enter', async () => {
    await using temp = await tempFolder();
    const folder = path.join(temp.path, 'own');
    expect(makeOwnFolder(folder, strict)).toBeNull();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(makeOwnFolder(folder, strict)).toBeNull();
  });

  it('refuses what others can change, links and files', async () => {
    await using temp = await tempFolder();
    const at = (name: string) => path.join(temp.path, name);
    await mkdir(at('open'));
    await chmod(at('open'), 0o777);
    await mkdir(at('closed'), { mode: 0o700 });
    await symlink(at('closed'), at('link'));
    await writeFile(at('file'), '');
    expect(makeOwnFolder(at('open'), strict)).toBe('can be written by other users (mode 777)');
    expect(makeOwnFolder(at('link'), strict)).toBe('is a link');
    expect(makeOwnFolder(at('file'), strict)).toBe('is not a folder');
    expect(makeOwnFolder(at('none/below'), strict)).toBe('cannot be created (ENOENT)');
    expect(whyFolderNotOwn(at('link'), { others: 'mayRead', links: 'followed' })).toBeNull();
    expect(whyFolderNotOwn(at('none'), strict)).toBe('does not exist');
  });
});
