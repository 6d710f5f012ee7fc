import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { OUTCOMES } from '../../src/cli/output/outcomes.ts';

const DOCUMENT = path.join(import.meta.dirname, '../../docs/definition-of-done.md');

it('the docs list every symbol that is printed, and no other', () => {
  const text = readFileSync(DOCUMENT, 'utf8');
  const paragraph = text.split('\n\n').find((one) => one.startsWith('Reports for people use the same words'));
  const listed = [...(paragraph ?? '').matchAll(/`(\S [a-z ]+)`/g)].map(([, words]) => words);
  const printed = Object.entries(OUTCOMES).map(([outcome, { symbol }]) => `${symbol} ${outcome}`);
  expect(listed.toSorted()).toEqual(printed.toSorted());
});
