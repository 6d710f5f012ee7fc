import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../testing/tempFolder.ts';
import { drafts } from './drafts.ts';

const ended = () => spawnSync(process.execPath, ['-e', '0']).pid;

describe('drafts', () => {
  it("are the next session's when the process that kept one is gone", async () => {
    await using folder = await tempFolder();
    writeFileSync(path.join(folder.path, `draft-${ended()}-1.txt`), 'half a thought');
    expect(drafts(folder.path).takeOver()).toBe('half a thought');
    // and no other one's
    expect(drafts(folder.path, process.ppid).takeOver()).toBe('');
  });

  it('stay those of a process that runs, and not of another one with its id', async () => {
    await using folder = await tempFolder();
    drafts(folder.path, process.ppid).keep('still being written');
    expect(drafts(folder.path).takeOver()).toBe('');
    const [name = ''] = readdirSync(folder.path);
    writeFileSync(path.join(folder.path, name.replace(/-[^-]+\.txt$/, '-1.txt')), 'of an earlier process');
    expect(drafts(folder.path).takeOver()).toBe('of an earlier process');
  });

  it('are removed when nothing is left to send', async () => {
    await using folder = await tempFolder();
    const own = drafts(folder.path);
    own.keep('text');
    expect(readdirSync(folder.path)).toHaveLength(1);
    own.keep('');
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('are none where there is no folder, or only a file of another name', async () => {
    await using folder = await tempFolder();
    expect(drafts(path.join(folder.path, 'none')).takeOver()).toBe('');
    writeFileSync(path.join(folder.path, 'draft-x.txt'), 'foreign');
    expect(drafts(folder.path).takeOver()).toBe('');
  });
});
