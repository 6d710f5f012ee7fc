import { expect, it } from 'vitest';
import { formatBytes } from './formatBytes.ts';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
  [5_040_000, '5.0 MB'],
  [999_950_000, '1.0 GB'],
])('%d is %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
