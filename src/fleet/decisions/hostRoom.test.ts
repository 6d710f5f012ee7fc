import { describe, expect, it } from 'vitest';
import { hostRoom } from './hostRoom.ts';

describe('room on a host', () => {
  const GB = 1024 ** 3;
  it.each([
    [{ running: 3, maxWorkers: 8 }, 5],
    [{ running: 9, maxWorkers: 8 }, 0],
    [{ running: 0, maxWorkers: 8, freeMemoryBytes: GB }, 2],
    [{ running: 0, maxWorkers: 8, freeMemoryBytes: 64 * GB }, 8],
    [{ running: 0, maxWorkers: 8, loadPerCore: 4 }, 0],
  ])('%o: %i', (facts, room) => {
    expect(hostRoom(facts)).toBe(room);
  });
});
