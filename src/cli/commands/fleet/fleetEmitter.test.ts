import { expect, it } from 'vitest';
import { fleetEmitter } from './fleetEmitter.ts';

const HOUR = 3_600_000;
const NOON = new Date(2026, 0, 1, 12).getTime();
const MINUTE = 60_000;

it.each([0, 5 * HOUR, -5 * HOUR])(
  'shows times of a store that is %i ms ahead by the clock of this machine',
  (ahead) => {
    const lines: string[] = [];
    const clock = { now: () => NOON };
    for (const json of [false, true]) {
      const emitter = fleetEmitter((line) => lines.push(line), { clock, json });
      emitter.noteTime(NOON + ahead);
      emitter.emit({ type: 'suspect', worker: 'w1', dueAt: NOON + ahead + MINUTE });
      emitter.emit({ type: 'accountPaused', account: 'a', untilAt: NOON + ahead + MINUTE, source: null });
    }
    expect(lines.slice(0, 2)).toEqual([
      '12:00:00  w1 is silent; it has until 12:01:00 to send a heartbeat\n',
      expect.stringContaining('no worker is started before 12:01:00'),
    ]);
    expect(lines.slice(2).map((line) => JSON.parse(line))).toMatchObject([
      { at: NOON, dueAt: NOON + MINUTE },
      { at: NOON, untilAt: NOON + MINUTE },
    ]);
  },
);
