import { existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../testing/tempFolder.ts';
import { boundLog } from './boundedLog.ts';

it('empties a log that is too long while its writer has it open, and keeps what it held', async () => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, 'w.log');
  const writer = openSync(file, 'a');
  writeSync(writer, 'a'.repeat(100));
  boundLog(file, 100);
  expect(existsSync(`${file}.1`)).toBe(false);
  boundLog(file, 99);
  writeSync(writer, 'next');
  expect(readFileSync(file, 'utf8')).toBe('next');
  expect(readFileSync(`${file}.1`, 'utf8')).toBe('a'.repeat(100));
});

it('does not mind a log that is not there', () => {
  expect(() => boundLog('/nowhere/at/all.log', 1)).not.toThrow();
});
