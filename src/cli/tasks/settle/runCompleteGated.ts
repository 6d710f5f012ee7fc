import { runWaiting } from '../runWorded.ts';
import { completionGate } from './askCompletionHooks.ts';
import { type CompleteOptions, runComplete } from './runSettle.ts';

/** `stopgate task complete` where hooks may have a say. */
export function runCompleteGated(id: string | undefined, options: CompleteOptions): Promise<number> {
  return runWaiting(async (world, signal) => {
    const gate = await completionGate(world, signal);
    return runComplete(id, options, gate ? { world, gate } : { world });
  });
}
