import { expect, it } from 'vitest';
import { newClaimKey, shortId, systemIds, timedUuids } from './ids.ts';

it('gives UUIDs, each once', () => {
  const ids = Array.from({ length: 10_000 }, () => systemIds.uuid());
  expect(new Set(ids).size).toBe(10_000);
  for (const id of ids.slice(0, 50))
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

it('gives claim keys that are UUIDs of version 7, each once', () => {
  const keys = Array.from({ length: 10_000 }, newClaimKey);
  expect(new Set(keys).size).toBe(10_000);
  for (const key of keys.slice(0, 50))
    expect(key).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

it('gives keys that sort by creation time across processes', () => {
  let time = Date.UTC(2026, 10, 16);
  const makers = [timedUuids(() => time), timedUuids(() => time)];
  const keys = Array.from({ length: 300 }, (_, n) => {
    time += n % 7;
    return makers.map(({ uuid }) => uuid());
  });
  for (const maker of [0, 1]) {
    const own = keys.map((pair) => pair[maker]);
    expect(own.toSorted()).toEqual(own);
  }
  const times = keys.flat().map((key) => key.slice(0, 13));
  expect(times.toSorted()).toEqual(times);
  expect(new Set(keys.flat()).size).toBe(600);
});

it('short ids of one process differ', () => {
  const ids = Array.from({ length: 1000 }, () => shortId(systemIds));
  expect(new Set(ids).size).toBe(1000);
});
