import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryBlocks, valuesIn } from './hideOwnSecrets.ts';

const MODULE = path.join(import.meta.dirname, 'hideOwnSecrets.ts');

const SCRIPT = `
const { readFileSync } = await import('node:fs');
const { hideOwnSecrets } = await import(process.env.MODULE);
const { type } = hideOwnSecrets();
const shown = (file) => readFileSync('/proc/self/' + file, 'utf8').split('\\0').filter((entry) => entry !== '');
const env = { ...process.env };
console.log(JSON.stringify({ type, env, words: process.argv.slice(1), environ: shown('environ'), cmdline: shown('cmdline') }));`;

function hideIn(env: Record<string, string>, ...words: string[]) {
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT, '--', ...words], {
    env: { MODULE, PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  return JSON.parse(out);
}

describe.runIf(process.platform === 'linux')('a process that hides its secrets', () => {
  it('shows them to no other process, and still has them itself', () => {
    const secrets = { GITHUB_TOKEN: 'plänted-tøken', DATABASE_URL: 'postgres://me:planted@host/db' };
    const seen = hideIn({ ...secrets, PLAIN: 'kept=as is', EMPTY_TOKEN: '' });
    expect(seen.type).toBe('hidden');
    expect(seen.env).toMatchObject({ ...secrets, PLAIN: 'kept=as is', EMPTY_TOKEN: '' });
    expect(seen.environ).toEqual(expect.arrayContaining(['PLAIN=kept=as is', 'GITHUB_TOKEN=', 'DATABASE_URL=']));
    expect(seen.environ.join(' ')).not.toMatch(/pl.{1,2}nted/);
  });

  it('hides passwords in its command line, word by word', () => {
    const words = ['--store', 'postgres://me:planted@host/db', '--name', 'a@b'];
    const seen = hideIn({}, ...words);
    expect(seen).toMatchObject({ type: 'hidden', words });
    expect(seen.cmdline.slice(-4)).toEqual(['--store', 'postgres://me:*******@host/db', '--name', 'a@b']);
  });

  it('touches nothing without one', () => {
    expect(hideIn({ PLAIN: 'x' }).type).toBe('nothingToHide');
  });
});

it('finds the values of variables by their whole names, also of those that are there twice', () => {
  const bytes = Buffer.from('A=1\0AB=22\0NO\0=odd\0AB=\0AB=333\0é_KEY=4\0AB=5').toString('latin1');
  const values = valuesIn(bytes, new Set(['AB', 'é_KEY'])).map(({ at, length }) => bytes.slice(at, at + length));
  expect(values).toEqual(['22', '', '333', '4', '5']);
});

it('reads where the environment is, whatever the process is called', () => {
  const fields = Array.from({ length: 50 }, (_, index) => index + 3);
  expect(memoryBlocks(`1 (a) b) ${fields.join(' ')}`)).toEqual({
    words: { start: 48, end: 49 },
    environment: { start: 50, end: 51 },
  });
  expect(() => memoryBlocks(`1 (a) ${Array.from({ length: 50 }, () => 0).join(' ')}`)).toThrow('does not show where');
});
