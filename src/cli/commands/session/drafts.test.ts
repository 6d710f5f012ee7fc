import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../testing/tempFolder.ts';
import { drafts } from './drafts.ts';

/** Of a process that has ended. */
const deadPid = () => spawnSync('true').pid;

describe('what was typed and not sent', () => {
  it('is taken over once, from a session that died', async () => {
    await using folder = await tempFolder();
    const died = deadPid();
    drafts(folder.path, died).keep('half a thought');
    expect(drafts(folder.path).takeOver()).toBe('half a thought');
    expect(readdirSync(folder.path)).toEqual([`draft-${process.pid}.txt`]);
    expect(drafts(folder.path, deadPid()).takeOver()).toBe('');
  });

  it('stays with a session that lives', async () => {
    await using folder = await tempFolder();
    drafts(folder.path, process.ppid).keep('mine');
    expect(drafts(folder.path).takeOver()).toBe('');
  });

  it('is gone when it was sent', async () => {
    await using folder = await tempFolder();
    const own = drafts(folder.path);
    own.keep('x');
    own.keep('');
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('is nothing where there is no folder, or a file that is not ours', async () => {
    await using folder = await tempFolder();
    expect(drafts(path.join(folder.path, 'none')).takeOver()).toBe('');
    writeFileSync(path.join(folder.path, 'draft-x.txt'), 'foreign');
    expect(drafts(folder.path).takeOver()).toBe('');
  });
});
