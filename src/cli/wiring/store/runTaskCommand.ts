import { UserError } from '../../../system/userError.ts';
import { StoreUnavailableError } from './openedStore.ts';
import { UNAVAILABLE_EXIT } from './openTaskStore.ts';
import { type TaskWorld, thisTaskWorld } from './taskWorld.ts';

/** Runs a task command; an unavailable store is a user error, not a bug. */
export async function runTaskCommand(run: (world: TaskWorld) => Promise<number>): Promise<number> {
  try {
    return await run(thisTaskWorld());
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw new UserError(error.message, UNAVAILABLE_EXIT);
    throw error;
  }
}

/** For commands that wait: Ctrl-C and SIGTERM end them cleanly. */
export async function runWaiting(run: (world: TaskWorld, signal: AbortSignal) => Promise<number>): Promise<number> {
  const { listenForInterrupts } = await import('../../../system/interrupts.ts');
  using interrupts = listenForInterrupts();
  const code = await runTaskCommand((world) => run(world, interrupts.signal));
  return interrupts.exitCode() ?? code;
}
