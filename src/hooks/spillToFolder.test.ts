import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { systemIds } from '../system/ids.ts';
import { spillToFolder } from './spill.ts';

it('saves each text in a file that only its owner reads', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'stopgate-spill-'));
  const spill = spillToFolder(path.join(folder, 'a', 'b'), systemIds);
  const [first, second] = [spill('one ✓'), spill('two')];
  expect([readFileSync(first, 'utf8'), readFileSync(second, 'utf8')]).toEqual(['one ✓', 'two']);
  expect(statSync(first).mode & 0o777).toBe(0o600);
  await rm(folder, { recursive: true });
});
