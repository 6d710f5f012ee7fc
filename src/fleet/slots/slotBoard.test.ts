import { describe, expect, it } from 'vitest';
import { SlotBoard } from './slotBoard.ts';

function board(most = 2) {
  const recorded: Readonly<Record<string, number>>[] = [];
  const orders: string[] = [];
  const ends = new Map<string, (code: number) => void>();
  const made = new SlotBoard({
    most,
    record: (slots) => void recorded.push(slots),
    startSlot: (slot) => {
      const { promise, resolve } = Promise.withResolvers<number>();
      ends.set(slot, resolve);
      const note = (order: string) => () => void orders.push(`${order} ${slot}`);
      return { ended: promise, drain: note('drain'), end: note('end'), drop: note('drop') };
    },
  });
  return { board: made, recorded, orders, end: (slot: string, code: number) => ends.get(slot)?.(code) };
}

const endOf = async (start: ReturnType<SlotBoard['start']>) => (start.type === 'started' ? start.ended : start.reason);

describe('the slots of a process', () => {
  it('are on record before a start is answered, and until they have ended', async () => {
    const { board: slots, recorded, end } = board();
    const first = slots.start('a', 1);
    slots.start('b', 7);
    expect(recorded).toEqual([{ a: 1 }, { a: 1, b: 7 }]);
    end('a', 3);
    expect(await endOf(first)).toBe(3);
    expect(recorded.at(-1)).toEqual({ b: 7 });
  });

  it('are refused beyond the most, twice, or when the process ends', async () => {
    const { board: slots, end } = board(2);
    const first = slots.start('a', 1);
    expect(await endOf(slots.start('a', 2))).toMatch(/already runs in this process/);
    slots.start('b', 1);
    expect(await endOf(slots.start('c', 1))).toBe('this process already runs 2 slots');
    end('a', 0);
    await endOf(first);
    expect(slots.start('c', 1).type).toBe('started');
    slots.drainAll();
    expect(await endOf(slots.start('d', 1))).toBe('this process is ending');
  });

  it('are refused when their start cannot be recorded', () => {
    const full = new SlotBoard({
      most: 1,
      record: () => {
        throw new Error('no space left');
      },
      startSlot: () => expect.unreachable(),
    });
    expect(full.start('a', 1)).toEqual({
      type: 'refused',
      reason: 'its start cannot be recorded: no space left',
    });
  });

  it('obey orders for their incarnation only', () => {
    const { board: slots, orders } = board();
    slots.start('a', 2);
    slots.start('b', 2);
    expect([slots.obey('drain', 'a', 1), slots.obey('end', 'c', 2)]).toEqual([false, false]);
    expect([slots.obey('drain', 'a', 2), slots.obey('end', 'b', 2)]).toEqual([true, true]);
    expect(orders).toEqual(['drain a', 'end b']);
  });

  it('are gone when they are dropped, whatever they still do', async () => {
    const { board: slots, recorded, end } = board();
    const first = slots.start('a', 1);
    slots.start('b', 1);
    slots.obey('drop', 'a', 1);
    expect([await endOf(first), recorded.at(-1)]).toEqual([null, { b: 1 }]);
    slots.start('a', 2);
    end('a', 0);
    expect(recorded.at(-1)).toEqual({ b: 1, a: 2 });
  });

  it('end the process with the last one, which stays on record', async () => {
    const { board: slots, recorded, end } = board();
    slots.start('a', 1);
    end('a', 0);
    await slots.over;
    expect(recorded).toEqual([{ a: 1 }]);
  });
});
