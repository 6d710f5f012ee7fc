import { expect, it } from 'vitest';
import { verifyingText } from './verifyingText.ts';

const now = 1_000_000;

it.each([
  [{ verifyHolder: null, verifyUntil: null }, 'waits for a verifier for 1m'],
  [{ verifyHolder: 'w1', verifyUntil: now + 1 }, 'by w1 for 1m'],
  [{ verifyHolder: 'w1', verifyUntil: now }, 'waits for a verifier for 1m, w1 is gone'],
])('%j', (task, text) => {
  expect(verifyingText({ ...task, updatedAt: now - 60_000 }, now)).toBe(text);
});
