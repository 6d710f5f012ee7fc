import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from './total.js';

test('adds every line', () => {
  const lines = [
    { price: 250, count: 2 },
    { price: 100, count: 1 },
  ];
  assert.equal(total(lines), 600);
});

test('an empty invoice costs nothing', () => {
  assert.equal(total([]), 0);
});
