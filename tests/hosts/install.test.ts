import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type TempFolder, tempFolder } from '../../src/testing/tempFolder.ts';
import { HOST_PACKAGES } from '../support/hosts/hostPackages.ts';
import { installHost } from '../support/hosts/installHost.ts';

const { version } = HOST_PACKAGES.gemini.newest;
let folder: TempFolder;

/** Stands in for the package manager: `$PREFIX` is where it installs. */
function npm(body: string): void {
  const file = path.join(folder.path, 'npm');
  writeFileSync(file, `#!/bin/sh\necho call >> ${folder.path}/calls\nPREFIX=$3\n${body}\n`);
  chmodSync(file, 0o755);
}

const INSTALLS = `
mkdir -p $PREFIX/node_modules/@google/gemini-cli/bundle
echo '{"version":"${version}"}' > $PREFIX/node_modules/@google/gemini-cli/package.json
touch $PREFIX/node_modules/@google/gemini-cli/bundle/gemini.js`;

beforeEach(async () => {
  folder = await tempFolder();
  vi.stubEnv('STOPGATE_TEST_CACHE', path.join(folder.path, 'cache'));
  vi.stubEnv('STOPGATE_SKIP_HOSTS', '');
  vi.stubEnv('PATH', `${folder.path}:${process.env.PATH}`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await folder[Symbol.asyncDispose]();
});

it('installs once for all who want it', async () => {
  npm(INSTALLS);
  const hosts = await Promise.all([installHost('gemini'), installHost('gemini'), installHost('gemini')]);
  expect(hosts.map(({ type }) => type)).toEqual(['installed', 'installed', 'installed']);
  expect(readFileSync(path.join(folder.path, 'calls'), 'utf8')).toBe('call\n');
});

it('takes over from a process that died while it installed', async () => {
  npm(INSTALLS);
  await installHost('gemini', 'older');
  const lock = path.join(folder.path, 'cache', `gemini-${version}.lock`);
  writeFileSync(lock, '999999999');
  expect(await installHost('gemini')).toMatchObject({ type: 'installed', version });
});

it('gives the reason when it cannot', async () => {
  npm('echo "npm error code E404" >&2; exit 1');
  const reason = `@google/gemini-cli@${version} could not be installed (npm error code E404).`;
  expect(await installHost('gemini')).toEqual({ type: 'missing', version, reason });
});

it('gives the reason when the package has no program', async () => {
  npm(INSTALLS.replace('touch', 'true'));
  expect(await installHost('gemini')).toMatchObject({
    type: 'missing',
    reason: expect.stringContaining(`has no program for ${process.platform}-${process.arch} in `),
  });
});

it('installs nothing when told not to', async () => {
  vi.stubEnv('STOPGATE_SKIP_HOSTS', '1');
  expect(await installHost('gemini')).toMatchObject({ type: 'missing', reason: 'STOPGATE_SKIP_HOSTS is 1.' });
});
