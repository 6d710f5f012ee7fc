import { expect, it } from 'vitest';
import { systemIds } from './ids.ts';

it('gives UUIDs, each once', () => {
  const ids = Array.from({ length: 10_000 }, () => systemIds.uuid());
  expect(new Set(ids).size).toBe(10_000);
  for (const id of ids.slice(0, 50))
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});
