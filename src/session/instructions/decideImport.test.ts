import { expect, it } from 'vitest';
import { decideImport } from './decideImport.ts';

it.each([
  ['/p/a.md', ['/p'], 1, 'load'],
  ['/p2/a.md', ['/p'], 1, 'refuse'],
  ['/home/ann/.ssh/id', ['/p'], 1, 'refuse'],
  ['/home/ann/x.md', ['/p', '/home/ann'], 1, 'load'],
  ['/anywhere', undefined, 1, 'load'],
  ['/p/a.md', ['/p'], 5, 'load'],
  ['/p/a.md', ['/p'], 6, 'refuse'],
])('%s within %j at depth %i: %s', (realPath, within, depth, expected) => {
  expect(decideImport({ realPath, within, depth }).type).toBe(expected);
});
