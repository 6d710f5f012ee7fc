import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { parseConfig, readConfig } from './readConfig.ts';

const FILE = '/p/stopgate.config.json';

describe('stopgate.config.json', () => {
  it('fills in what is not said', () => {
    expect(parseConfig('{"checks":[{"command":"npm test"}]}', FILE)).toEqual({
      type: 'config',
      done: {
        file: FILE,
        stallAfter: 2,
        maxBlocks: 20,
        checks: [
          {
            name: 'npm test',
            commandText: 'npm test',
            file: '/bin/sh',
            args: ['-c', 'npm test'],
            cwd: '/p',
            timeoutMs: 600_000,
            when: 'changed',
            lines: 40,
          },
        ],
      },
    });
  });

  it('takes everything that can be said', () => {
    const config = {
      checks: [{ name: 't', command: ['make', 'test'], timeout: '1h30m', when: 'always', lines: 5, cwd: 'api' }],
      stallAfter: 1,
      maxBlocks: 3,
    };
    expect(parseConfig(JSON.stringify(config), FILE)).toMatchObject({
      done: {
        stallAfter: 1,
        maxBlocks: 3,
        checks: [{ file: 'make', args: ['test'], cwd: '/p/api', timeoutMs: 5_400_000, when: 'always', lines: 5 }],
      },
    });
  });

  it.each([
    [
      '{"checks":[{"command":"x",}]}',
      `${FILE}:1:26: there is a trailing comma, which plain JSON does not have; no check was run.`,
    ],
    ['{\n "checks":[\n  {"command":""}]}', /:3: checks\[0\]\.command: .*; no check was run\.$/],
    ['{"cheks":[]}', /:1: .*cheks.*; no check was run\.$/],
    ['{"checks":[{"command":"x","timeout":"soon"}]}', /checks\[0\]\.timeout/],
    ['[]', /:1: .*; no check was run\.$/],
  ])('refuses %s in a sentence with file and place', (text, message) => {
    const read = parseConfig(text, FILE);
    expect(read.type).toBe('broken');
    expect(read.type === 'broken' && read.message).toMatch(message);
  });

  it('is looked for up to the root of the repository, not above it', async () => {
    await using folder = await tempFolder();
    const deep = path.join(folder.path, 'repo/a/b');
    await mkdir(deep, { recursive: true });
    await mkdir(path.join(folder.path, 'repo/.git'));
    await writeFile(path.join(folder.path, 'stopgate.config.json'), '{"checks":[{"command":"evil"}]}');
    expect(await readConfig(deep)).toEqual({ type: 'none' });
    await writeFile(path.join(folder.path, 'repo/stopgate.config.json'), '{"checks":[{"command":"x"}]}');
    expect(await readConfig(deep)).toMatchObject({ done: { checks: [{ cwd: path.join(folder.path, 'repo') }] } });
    await mkdir(path.join(deep, 'stopgate.config.json'));
    expect(await readConfig(deep)).toMatchObject({
      type: 'broken',
      message: expect.stringContaining('not a regular file'),
    });
  });
});
