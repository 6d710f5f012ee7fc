import { drained, processWriter, type Writer } from '../../../../system/writer.ts';
import { pageFor } from '../../../output/page.ts';
import { openTaskStoreToRead } from '../../../wiring/store/openTaskStore.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { fleetStatusText } from './fleetStatusText.ts';
import { gatherFleetStatus } from './gatherFleetStatus.ts';
import { liveScreen } from './liveScreen.ts';

export interface FleetStatusOptions {
  readonly store?: string;
  readonly queue?: string;
  readonly json?: boolean;
  readonly watch?: boolean;
}

const REDRAW_MS = 1_000;

/** `stopgate fleet status`: once, or again and again in the same place. */
export async function runFleetStatus(
  options: FleetStatusOptions,
  { world, signal }: { readonly world: TaskWorld; readonly signal: AbortSignal },
): Promise<number> {
  await using store = await openTaskStoreToRead(options.store, world);
  const over = new AbortController();
  const writer = processWriter(() => over.abort('nobody reads it'));
  const either = AbortSignal.any([signal, over.signal]);
  using screen = liveScreen(writer, options.watch === true && !options.json);
  do {
    const status = await gatherFleetStatus(store, { stopgateHome: world.stopgateHome, queue: options.queue });
    if (options.json) writer.out(`${JSON.stringify(status)}\n`);
    else screen.show(fleetStatusText(status, layoutOf(writer, world, screen.height())));
    if (options.watch) await world.clock.sleep(REDRAW_MS, either);
  } while (options.watch && !either.aborted);
  await drained();
  return 0;
}

function layoutOf(writer: Writer, world: TaskWorld, height: number) {
  // asked anew each time: a window can be made larger
  const columns = process.stdout.columns ?? writer.columns;
  const { paint, width } = pageFor(
    { outIsTerminal: writer.outIsTerminal, columns },
    { ...world, env: plainEnv(world) },
  );
  return { paint, width, height };
}

const plainEnv = ({ env }: TaskWorld) =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
