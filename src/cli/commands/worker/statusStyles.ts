import type { Cell } from '../../output/table.ts';
import type { ListedWorker } from './gatherWorkers.ts';

/** How each state of a worker is painted, wherever it is shown. */
export const STATUS_STYLES: Readonly<Record<ListedWorker['shownStatus'], NonNullable<Cell['style']>>> = {
  busy: 'cyan',
  idle: 'green',
  launching: 'cyan',
  draining: 'yellow',
  paused: 'yellow',
  suspect: 'yellow',
  unresponsive: 'red',
  gone: 'red',
  lost: 'red',
  stopped: 'dim',
};
