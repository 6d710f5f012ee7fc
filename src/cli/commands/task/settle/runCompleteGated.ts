import { agentHere } from '../../../wiring/standing/agentHere.ts';
import { runWaiting } from '../../../wiring/store/runWorded.ts';
import { completionGate } from './askCompletionHooks.ts';
import { type CompleteOptions, type CompletionGate, runComplete } from './runSettle.ts';

/** `stopgate task complete` where the definition of done or hooks have a say. */
export function runCompleteGated(id: string | undefined, options: CompleteOptions): Promise<number> {
  return runWaiting(async (world, signal) => {
    const agent = agentHere(options.store, world);
    const gates: CompletionGate[] = [];
    if (agent !== null) {
      const { doneGate } = await import('./askDone.ts');
      gates.push(doneGate(agent, world, signal));
    }
    const hooks = await completionGate(world, signal);
    if (hooks) gates.push(hooks);
    return runComplete(id, options, { world, gate: all(gates) });
  });
}

/** The first that objects decides. */
const all =
  (gates: readonly CompletionGate[]): CompletionGate =>
  async (task, claim) => {
    for (const gate of gates) {
      const why = await gate(task, claim);
      if (why !== null) return why;
    }
    return null;
  };
