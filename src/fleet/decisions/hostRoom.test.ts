import { describe, expect, it } from 'vitest';
import { hostRoom } from './hostRoom.ts';

describe('room on a host', () => {
  const GB = 1024 ** 3;
  const load = { of: 'load', perCore: 4.5, limit: 4 };
  const memory = { of: 'memory', freeBytes: GB / 4, neededBytes: GB / 2 };
  it.each([
    [{ running: 3, maxWorkers: 8 }, 5, null],
    [{ running: 9, maxWorkers: 8 }, 0, null],
    [{ running: 0, maxWorkers: 8, freeMemoryBytes: GB }, 2, null],
    [{ running: 0, maxWorkers: 8, freeMemoryBytes: 64 * GB }, 8, null],
    // the first worker starts: a fleet without one makes no progress
    [{ running: 0, maxWorkers: 8, loadPerCore: 4.5 }, 1, load],
    [{ running: 0, maxWorkers: 0, loadPerCore: 4.5 }, 0, load],
    [{ running: 1, maxWorkers: 8, loadPerCore: 4.5 }, 0, load],
    [{ running: 0, maxWorkers: 8, freeMemoryBytes: GB / 4 }, 0, memory],
    [{ running: 0, maxWorkers: 8, freeMemoryBytes: GB / 4, loadPerCore: 4.5 }, 0, memory],
  ])('%o: %i', (facts, room, shortage) => {
    expect(hostRoom(facts)).toEqual({ room, shortage });
  });
});
