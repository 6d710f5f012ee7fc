import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../testing/tempFolder.ts';
import { ownPath } from './ownPath.ts';

describe('the search path of our own programs', () => {
  it('has no entry that a repository could fill', async () => {
    await using folder = await tempFolder();
    const project = join(folder.path, 'project');
    for (const name of ['.git', 'bin', 'deep/er', 'deep/.git']) mkdirSync(join(project, name), { recursive: true });
    symlinkSync(join(project, 'bin'), join(folder.path, 'link'));
    const entries = [
      'bin',
      '.',
      '',
      './x',
      project,
      join(project, 'bin'),
      join(folder.path, 'link'),
      '/usr/bin',
      '/bin',
    ];
    expect(ownPath(entries.join(':'), join(project, 'deep/er'))).toBe('/usr/bin:/bin');
  });

  it('is the usual one when nothing else is left', () => {
    expect(ownPath('bin:.', '/')).toBe('/usr/local/bin:/usr/bin:/bin');
    expect(ownPath(undefined, '/')).toBe('/usr/local/bin:/usr/bin:/bin');
    expect(ownPath('/opt/tools:/bin', '/')).toBe('/opt/tools:/bin');
  });
});
