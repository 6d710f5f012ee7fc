import { ownEscape } from '../../../../system/terminalText.ts';
import { drained, processWriter, type Writer } from '../../../../system/writer.ts';
import { pageFor } from '../../../output/page.ts';
import { openTaskStoreToShow } from '../../../wiring/store/openTaskStore.ts';
import type { WaitingWorld } from '../../../wiring/store/taskWorld.ts';
import type { CommonOptions, Flags } from '../../task/taskOptions.ts';
import { fleetStatusText } from './fleetStatusText.ts';
import { gatherFleetStatus } from './gatherFleetStatus.ts';

type FleetStatusOptions = CommonOptions & Flags<'queue', 'watch' | 'plain'>;

const REDRAW_MS = 1_000;

/** `stopgate fleet status`: once; with `--watch`, a full-screen view on a terminal, else again and again. */
export async function runFleetStatus(options: FleetStatusOptions, world: WaitingWorld): Promise<number> {
  const opened = await openTaskStoreToShow(options.store, world);
  const unread = new AbortController();
  const writer = processWriter(() => unread.abort('the reader is gone'));
  const either = AbortSignal.any([world.signal, unread.signal]);
  if (isFullScreen(options, world.env)) {
    const { runWatch } = await import('../watch/runWatch.ts');
    return runWatch(opened, options, { ...world, signal: either });
  }
  await using store = opened;
  using screen = liveScreen(writer, options.watch === true && !options.json && world.env.TERM !== 'dumb');
  do {
    const status = await gatherFleetStatus(store, { stopgateHome: world.stopgateHome, queue: options.queue });
    if (options.json) writer.out(`${JSON.stringify(status)}\n`);
    else {
      // read each time: the window may be resized
      const columns = process.stdout.columns ?? writer.columns;
      const { paint, width, block } = pageFor({ outIsTerminal: writer.outIsTerminal, columns }, world);
      const height = screen.height();
      const scrolls = height === Number.POSITIVE_INFINITY;
      screen.show(fleetStatusText(status, { paint, width, height, ...(scrolls && { block }) }));
    }
    if (options.watch) await world.clock.sleep(REDRAW_MS, either);
  } while (options.watch && !either.aborted);
  await drained();
  return 0;
}

/** Keys need a terminal on both sides, and one that can move its cursor. */
function isFullScreen({ watch, json, plain }: FleetStatusOptions, { TERM }: WaitingWorld['env']): boolean {
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  return watch === true && !json && !plain && isTerminal && TERM !== 'dumb';
}

const ENTER = `${ownEscape('?1049', 'h')}${ownEscape('?25', 'l')}`;
const LEAVE = `${ownEscape('?25', 'h')}${ownEscape('?1049', 'l')}`;
const HOME = ownEscape('', 'H');
const CLEAR_LINE_END = ownEscape('', 'K');
const CLEAR_BELOW = ownEscape('', 'J');

/** A page that is redrawn in place, on the terminal's alternate screen. Lines are overwritten and only their ends cleared: clearing the screen flickers. */
function liveScreen(writer: Pick<Writer, 'out' | 'outIsTerminal'>, isLive: boolean) {
  if (!isLive || !writer.outIsTerminal) {
    return {
      show: (page: string) => writer.out(`${page}\n`),
      height: () => Number.POSITIVE_INFINITY,
      [Symbol.dispose]: () => {},
    };
  }
  writer.out(ENTER);
  return {
    show: (page: string) => {
      const lines = page.split('\n').map((line) => `${line}${CLEAR_LINE_END}`);
      writer.out(`${HOME}${lines.join('\r\n')}${CLEAR_BELOW}`);
    },
    height: () => process.stdout.rows ?? 24,
    [Symbol.dispose]: () => writer.out(LEAVE),
  };
}
