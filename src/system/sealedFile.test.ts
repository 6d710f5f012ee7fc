import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../testing/tempFolder.ts';
import { readSealedFile, writeSealedFile } from './sealedFile.ts';

it('reads back what was written, with lines of its own, for this user alone', async () => {
  await using home = await tempFolder();
  const file = path.join(home.path, 'records/a.json');
  for (const text of ['', '{}', 'a\nb\n', `x\n${'0'.repeat(64)}`]) {
    await writeSealedFile(home.path, file, text);
    expect(await readSealedFile(home.path, file)).toEqual({ type: 'sealed', text });
  }
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(path.join(home.path, 'keys/seal')).mode & 0o777).toBe(0o600);
});

it('does not read a record that was made by hand, edited, cut, moved to another name, or sealed with another key', async () => {
  await using home = await tempFolder();
  const file = path.join(home.path, 'a.json');
  const other = path.join(home.path, 'b.json');
  expect(await readSealedFile(home.path, file)).toEqual({ type: 'missing' });
  await writeSealedFile(home.path, file, '[1]');
  const whole = readFileSync(file, 'utf8');
  for (const text of ['[1]', '[1]\n', '', whole.replace('1', '2'), whole.slice(0, -2), `${whole}\n`]) {
    writeFileSync(file, text);
    expect(await readSealedFile(home.path, file), text).toEqual({ type: 'changed' });
  }
  writeFileSync(file, whole);
  renameSync(file, other);
  expect(await readSealedFile(home.path, other)).toEqual({ type: 'changed' });
  renameSync(other, file);
  const key = path.join(home.path, 'keys/seal');
  writeFileSync(key, 'another key');
  expect(await readSealedFile(home.path, file)).toEqual({ type: 'changed' });
  // nor does it wait for a writer
  rmSync(key);
  execFileSync('mkfifo', [key]);
  expect(await readSealedFile(home.path, file)).toEqual({ type: 'changed' });
  execFileSync('mkfifo', [other]);
  expect(await readSealedFile(home.path, other)).toEqual({ type: 'changed' });
});

it('takes nothing for sealed where no key can be kept', async () => {
  await using home = await tempFolder();
  const file = path.join(home.path, 'a.json');
  writeFileSync(file, `{}\n${'0'.repeat(64)}\n`);
  // a file in the place of the folder of keys, as on a disk that takes no more
  writeFileSync(path.join(home.path, 'keys'), '');
  expect(await readSealedFile(home.path, file)).toEqual({ type: 'changed' });
});
