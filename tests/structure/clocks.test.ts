import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const SRC = path.join(import.meta.dirname, '../../src');

/** Who reads the machine's clock, and why. Everything else gets a `Clock`, whose `now` cannot be set from outside. */
const READS_THE_CLOCK: Readonly<Record<string, string>> = {
  'system/clock.ts': 'it is the clock',
  'system/ids.ts': 'ids that sort by the time they were made',
};

it('nothing but the clock itself reads the machine clock, which anyone can set', () => {
  const readers = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('testing'))
    .filter((name) => /\bDate\.now\b|\bnew Date\(\)|\bDate\(\)/.test(readFileSync(path.join(SRC, name), 'utf8')))
    .map((name) => name.split(path.sep).join('/'));
  expect(readers.toSorted()).toEqual(Object.keys(READS_THE_CLOCK));
});
