import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { findShell, scriptWithDirectory } from './shellScript.ts';

describe('the script', () => {
  it.each(['bash', 'sh'])('records where %s ended, even by exit', async (shell) => {
    await using folder = await tempFolder();
    const file = join(folder.path, `it's here`);
    const script = scriptWithDirectory('cd /usr; echo "printed"; (cd /); exit 0', file);
    expect(execFileSync(shell, ['-c', script], { encoding: 'utf8' })).toBe('printed\n');
    expect(readFileSync(file, 'utf8')).toBe('/usr\n');
  });
});

describe('findShell', () => {
  it('takes bash from the path', () => {
    expect(findShell({ PATH: '/no/such:/usr/bin:/bin' })).toEqual({ file: '/usr/bin/bash', args: ['--norc', '-c'] });
  });

  it('falls back to sh and reports it', () => {
    const shell = findShell({ PATH: '/usr/bin' }, () => false);
    expect(shell).toEqual({
      file: '/bin/sh',
      args: ['-c'],
      note: 'bash is not installed: the command ran in /bin/sh.',
    });
  });

  it('finds bash without a path', () => {
    expect(findShell({}).file).toMatch(/bash$/);
  });
});
