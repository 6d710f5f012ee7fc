import { expect, it } from 'vitest';
import { TaskTable } from './taskTable.ts';

it('keeps the line in order while it grows and goes round', () => {
  const table = new TaskTable();
  const taken: number[] = [];
  for (let number = 0; number < 5_000; number += 1) {
    table.enqueue(table.add(number, 0));
    if (number % 3 === 0) taken.push(table.get(table.dequeue()).number);
  }
  while (table.ready > 0) taken.push(table.get(table.dequeue()).number);
  expect(taken).toEqual(Array.from({ length: 5_000 }, (_unused, number) => number));
});

it('reuses handles, so that it is as large as the number of open tasks', () => {
  const table = new TaskTable();
  for (let number = 0; number < 1_000; number += 1) {
    const handle = table.add(number, 0);
    expect(handle).toBe(0);
    table.end(handle);
  }
  expect(table.open).toBe(0);
});
