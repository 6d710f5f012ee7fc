import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { parseConfig, readConfig } from './readConfig.ts';

const FILE = '/p/stopgate.config.json';

describe('stopgate.config.json', () => {
  it('takes `when` for all checks that have none of their own', () => {
    const read = parseConfig('{"when":"always","checks":[{"command":"a"},{"command":"b","when":"changed"}]}', FILE);
    expect(read.type === 'config' && read.done.checks.map(({ when }) => when)).toEqual(['always', 'changed']);
  });

  it('fills in defaults', () => {
    expect(parseConfig('{"checks":[{"command":"npm test"}]}', FILE)).toEqual({
      type: 'config',
      done: {
        file: FILE,
        stallAfter: 2,
        maxBlocks: 20,
        protect: [],
        editable: [],
        judge: null,
        checks: [
          {
            name: 'npm test',
            commandText: 'npm test',
            file: '/bin/sh',
            args: ['-c', 'npm test'],
            cwd: '/p',
            timeoutMs: 600_000,
            when: 'default',
            lines: 40,
            inputs: [],
            folder: '/p',
            severity: 'block',
            baseline: null,
            report: null,
          },
        ],
      },
    });
  });

  it('accepts every field', () => {
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
    ['{"cheks":[]}', `${FILE}:1: cheks: is not a known field (did you mean "checks"?); no check was run.`],
    [
      '{"check":[{"command":"x"}]}',
      `${FILE}:1: check: is not a known field (did you mean "checks"?); no check was run.`,
    ],
    [
      '{"checks":[{\n"comand":"x","command":"y"}]}',
      `${FILE}:2: checks[0].comand: is not a known field (did you mean "command"?); no check was run.`,
    ],
    [
      '{"checks":[{"command":5}]}',
      `${FILE}:1: checks[0].command: must be a shell command, such as "npm test", or a list of words, such as ["npm", "test"], got 5; no check was run.`,
    ],
    [
      '{"checks":[{"name":"x"}]}',
      /:1: checks\[0\]\.command: must be a shell command.*, but is missing; no check was run\.$/,
    ],
    ['{"checks":[{"command":[]}]}', /command: must be a shell command.*, got \[\]; no check was run\.$/],
    ['{"checks":["npm test"]}', /checks\[0\]: must be an object, such as .*, got "npm test"; no check was run\.$/],
    ['{"checks":{"command":"x"}}', /:1: checks: must be a list of at most 100 checks.*, got \{/],
    ['{"checks":[{"command":"x","lines":0}]}', /lines: must be a whole number from 1 to 400, got 0;/],
    ['{"checks":[{"command":"x","inputs":[""]}]}', /inputs\[0\]: must be a list of at most 100 paths.*, got "";/],
    ['{"stallAfter":"x"}', /:1: stallAfter: must be a whole number from 1 to 100, got "x";/],
    ['{"when":"never"}', /:1: when: must be "changed" or "always", got "never";/],
    ['{"\\u001b[2Jx":1}', /:1: \["\\u001b\[2Jx"\]: is not a known field \(known fields: /],
    ['{"checks":[{"command":"x","timeout":"soon"}]}', /checks\[0\]\.timeout/],
    ['{"checks":[{"command":"x"}],\n"checks":[]}', /:2: checks appears twice, and only the last one would count;/],
    ['{"checks":[{"command":"x","timeout":1,"timeout":2}]}', /:1: checks\[0\]\.timeout appears twice/],
    ['[]', /:1: the file must be an object, such as .*; no check was run\.$/],
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
