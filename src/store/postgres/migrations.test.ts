import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { FUNCTIONS, SCHEMA_VERSION } from './migrations.ts';

/** Functions reach existing stores only with a new version: after a release, a change needs one more `FUNCTIONS_ONLY`. */
it('has a new version when its functions change', () => {
  const code = FUNCTIONS.replace(/--.*$/gm, '').replace(/\s+/g, ' ');
  const digest = createHash('sha256').update(code).digest('hex').slice(0, 12);
  expect([SCHEMA_VERSION, digest]).toEqual([14, '411a5c6cc7f8']);
});

it('can run its functions again', () => {
  const created = FUNCTIONS.match(/^CREATE [^(]*/gm) ?? [];
  expect(created.length).toBeGreaterThan(80);
  expect(created.filter((head) => !head.startsWith('CREATE OR REPLACE FUNCTION stopgate.'))).toEqual([]);
});
