import { agentHere } from '../../../wiring/standing/refuseAgents.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { mayHaveTaskHooks } from './mayHaveHooks.ts';
import { type CompleteOptions, type CompletionGate, runComplete } from './runSettle.ts';

interface Completing {
  readonly world: TaskWorld;
  readonly signal: AbortSignal;
}

/** `stopgate task complete`: an agent's definition of done and TaskCompleted hooks are loaded only where there are any. */
export async function runCompleteGated(
  id: string | undefined,
  options: CompleteOptions,
  { world, signal }: Completing,
): Promise<number> {
  const agent = agentHere(options.store, world);
  const gates: CompletionGate[] = [];
  if (agent !== null) {
    const { doneGate } = await import('./askDone.ts');
    gates.push(doneGate(agent, world, signal));
  }
  if (await mayHaveTaskHooks(world)) {
    const { completionGate } = await import('./askCompletionHooks.ts');
    gates.push(completionGate(world, signal));
  }
  return runComplete(id, options, { world, gate: all(gates) });
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
