import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { environmentDigest, namedFiles, outsideFolders, surroundingsDigest } from './checkSurroundings.ts';
import { parseConfig } from './readConfig.ts';
import type { Check } from './types.ts';

async function place() {
  const folder = await tempFolder();
  const at = (name: string) => path.join(folder.path, name);
  for (const name of ['project', 'bin', 'home', 'outside', 'with space']) mkdirSync(at(name));
  const write = (name: string, text = 'x') => {
    writeFileSync(at(name), text);
    chmodSync(at(name), 0o755);
  };
  for (const name of [
    'bin/tool',
    'home/own.sh',
    'outside/run.sh',
    'outside/other.sh',
    'outside/report.xml',
    'with space/a b.sh',
  ])
    write(name);
  const env = { PATH: at('bin'), HOME: at('home'), TOOLS: at('outside') };
  const check = (command: unknown, more: object = {}): Check => {
    const text = JSON.stringify({ checks: [{ command, ...more }] });
    const read = parseConfig(text, at('project/stopgate.config.json'));
    return (read.type === 'config' ? read.done.checks[0] : undefined) ?? expect.unreachable(JSON.stringify(read));
  };
  return { at, write, env, check, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('the files that a command names', () => {
  it.each([
    ['tool --x', ['bin/tool']],
    ['sudo tool', ['bin/tool']],
    ['../outside/run.sh', ['outside/run.sh']],
    ['sh ../outside/run.sh && tool', ['outside/run.sh', 'bin/tool']],
    ['"$TOOLS/run.sh" --fast', ['outside/run.sh']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's
    ['${TOOLS}/run.sh;~/own.sh', ['outside/run.sh', 'home/own.sh']],
    ['cd ../outside && ./run.sh', ['outside/run.sh']],
    ['tool --config=../outside/other.sh', ['bin/tool', 'outside/other.sh']],
    ["'../with space/a b.sh'", ['with space/a b.sh']],
    ['../with\\ space/a\\ b.sh', ['with space/a b.sh']],
    ["sh -c 'exec ../outside/run.sh'", ['outside/run.sh']],
    ['tool > ../outside/run.sh 2>>../outside/other.sh', ['bin/tool']],
    ['x=$(../outside/run.sh); tool', ['outside/run.sh', 'bin/tool']],
    ['tool --junitxml=../outside/run.sh --coverage-out ../outside/other.sh', ['bin/tool']],
    ['tool ../outside/report.xml', ['bin/tool']],
    ['tool -f../outside/run.sh', ['bin/tool', 'outside/run.sh']],
    ['tool @../outside/run.sh', ['bin/tool', 'outside/run.sh']],
    ['sh ../outside/r*.sh', ['outside/run.sh']],
    ['sh ../outside/{run,other}.sh', ['outside/run.sh', 'outside/other.sh']],
    ['D=../outside; sh $D/run.sh', ['outside/run.sh']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's
    ['sh ${NONE:-../outside/run.sh}', ['outside/run.sh']],
    ['no-such-thing', []],
    [
      ['tool', '../outside/run.sh'],
      ['bin/tool', 'outside/run.sh'],
    ],
    [
      ['sh', '-c', 'tool && ../outside/run.sh'],
      ['bin/tool', 'outside/run.sh'],
    ],
  ])('%s', async (command, files) => {
    await using here = await place();
    const found = namedFiles(here.check(command), here.env).filter((file) => file !== '/bin/sh');
    expect(found.toSorted()).toEqual(files.map(here.at).toSorted());
  });

  it('are also those that a runtime loads by a variable', async () => {
    await using here = await place();
    const env = {
      ...here.env,
      NODE_OPTIONS: `--require=${here.at('outside/run.sh')}`,
      BASH_ENV: here.at('home/own.sh'),
    };
    const found = namedFiles(here.check('tool'), env).filter((file) => file !== '/bin/sh');
    expect(found.toSorted()).toEqual(['bin/tool', 'home/own.sh', 'outside/run.sh'].map(here.at));
  });

  it('count by content, through links, and by what is found first on PATH', async () => {
    await using here = await place();
    symlinkSync('../outside/run.sh', here.at('bin/linked'));
    const check = here.check('linked; tool');
    const seen = new Set<string>();
    const look = async (env = here.env) => {
      const found = await surroundingsDigest([check], env);
      seen.add(found.digest);
    };
    await look();
    here.write('outside/run.sh', 'other');
    await look();
    mkdirSync(here.at('shims'));
    here.write('shims/tool');
    await look({ ...here.env, PATH: `${here.at('shims')}:${here.env.PATH}` });
    here.write('outside/run.sh');
    await look();
    expect(seen.size).toBe(3);
  });
});

describe('the folders outside that a command uses', () => {
  it.each([
    ['tool', {}, []],
    ['tool', { cwd: '../outside' }, ['outside']],
    ['tool', { cwd: '.' }, []],
    ['cd ../outside && ./run.sh', {}, ['outside']],
    ['make -C../outside', {}, ['outside']],
    ['grep x ../outside/**/*.txt', {}, ['outside']],
    ['ls / /tmp ~', {}, []],
    ['tool linked', {}, ['outside']],
    ['tool ./inside', {}, []],
  ])('%s %j', async (command, more, folders) => {
    await using here = await place();
    symlinkSync('../outside', here.at('project/linked'));
    mkdirSync(here.at('project/inside'));
    const found = outsideFolders(here.check(command, more), here.env, here.at('project'));
    expect(found).toEqual(folders.map(here.at));
  });
});

describe('the environment of a check', () => {
  it('counts without what changes from session to session', () => {
    const before = environmentDigest({ A: '1', PWD: '/a' });
    expect(environmentDigest({ PWD: '/b', A: '1', CLAUDE_CODE_SESSION_ID: 'x', STOPGATE_GRACE_END: '1' })).toBe(before);
    expect(environmentDigest({ A: '2' })).not.toBe(before);
    expect(environmentDigest({ A: '1', B: '' })).not.toBe(before);
    expect(before).toMatch(/^[0-9a-f]{64}$/);
  });
});
