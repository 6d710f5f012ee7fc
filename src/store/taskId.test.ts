import { expect, it } from 'vitest';
import { newTaskId } from './taskId.ts';

it('gives ids that differ from their first characters on', () => {
  const ids = Array.from({ length: 1_000 }, () => newTaskId());
  for (const id of ids) expect(id).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/);
  expect(new Set(ids).size).toBe(1_000);
  expect(new Set(ids.map((id) => id.slice(0, 6))).size).toBeGreaterThan(990);
});
