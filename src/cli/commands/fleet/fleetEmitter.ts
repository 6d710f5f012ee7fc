import type { FleetEvent } from '../../../fleet/coordinator/fleetEvent.ts';
import { type Clock, wallNow } from '../../../system/clock.ts';
import { describeFleetEvent } from './describeFleetEvent.ts';

export interface FleetEmitter {
  /** The store's time, as the coordinator just read it. */
  noteTime(storeNow: number): void;
  emit(event: FleetEvent): void;
}

/** A line of `fleet up`, with the time of this machine. */
export const timedLine = (clock: Pick<Clock, 'now' | 'wall'>, sentence: string): string =>
  `${new Date(wallNow(clock)).toTimeString().slice(0, 8)}  ${sentence}\n`;

/**
 * Prints events, all their times by this machine's clock: beside the time of the line, a time of the store would read as one of this
 * machine, whose clock may be hours off.
 */
export function fleetEmitter(
  print: (line: string) => void,
  { clock, json }: { readonly clock: Pick<Clock, 'now' | 'wall'>; readonly json: boolean },
): FleetEmitter {
  let aheadMs = 0;
  return {
    noteTime: (storeNow) => {
      aheadMs = storeNow - wallNow(clock);
    },
    emit: (event) => {
      const shown = byThisClock(event, aheadMs);
      if (json) print(`${JSON.stringify({ at: wallNow(clock), ...shown })}\n`);
      else print(timedLine(clock, describeFleetEvent(shown)));
    },
  };
}

function byThisClock(event: FleetEvent, aheadMs: number): FleetEvent {
  if ('dueAt' in event) return { ...event, dueAt: event.dueAt - aheadMs };
  return 'untilAt' in event ? { ...event, untilAt: event.untilAt - aheadMs } : event;
}
