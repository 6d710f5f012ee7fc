import type { AgentEnd } from '../../fleet/worker/runWorker.ts';
import type { AgentCommand, Spend } from '../../hosts/host.ts';
import { outerLoop } from '../outerLoop.ts';
import type { AttemptBudget } from './attemptBudget.ts';
import { type AgentPlace, type AgentStart, agentEnvironment, type StartedAgent, startAgent } from './startAgent.ts';

/** Each check has a timeout of its own, and the worker gate waits for a task as long as the worker may. */
const LONGEST_MS = 24 * 3_600_000;

/** Starts a worker's agent; one that can end against a veto is started again in its session while the gates hold it. */
export async function startUntilDone(
  place: AgentPlace,
  start: AgentStart,
  command: AgentCommand,
): Promise<StartedAgent> {
  const { world, request, host, report } = place;
  const ending = new AbortController();
  const loop = outerLoop({
    command,
    env: { ...start.env, ...agentEnvironment(place, start.task, start.env.PATH) },
    folder: start.folder,
    world,
    session: `attempt-${start.task.lease.attemptId}`,
    trusted: false,
    requireProof: false,
    deadlineAt: world.clock.now() + LONGEST_MS,
    signal: ending.signal,
  });
  if (loop === null) return startAgent(place, start);
  for (const note of await loop.begin()) report(note);
  const words = host.taskWords(start.task.prompt, request.words);
  let running = startAgent(place, { ...start, onStdout: loop.push });
  let before: Spend | null = null;
  const spent = () => sumOfSpend(before, running.spent());
  const follow = async (): Promise<AgentEnd> => {
    for (;;) {
      const end = await running.ended;
      const again = end.ending === 'clean' && !ending.signal.aborted ? await loop.again(words) : null;
      if (again === null || ending.signal.aborted) return end;
      for (const note of again.notes) report(note);
      if (again.words === null) return end;
      report(`${host.title} ended, but may not stop yet: it is started again in its session`);
      before = spent();
      const budget = leftOf(start.budget, before);
      running = startAgent(place, { ...start, budget, words: again.words, onStdout: loop.push });
    }
  };
  return {
    spent,
    ended: follow(),
    end: async (why) => {
      ending.abort(why);
      await running.end(why);
    },
  };
}

/** What the attempt may still spend in its next process. */
function leftOf(budget: AttemptBudget, spent: Spend | null): AttemptBudget {
  const { tokenBudget, maxBudgetUsd } = budget;
  return {
    ...budget,
    ...(tokenBudget !== undefined && { tokenBudget: Math.max(0, tokenBudget - (spent?.outputTokens ?? 0)) }),
    ...(maxBudgetUsd !== undefined && { maxBudgetUsd: Math.max(0, maxBudgetUsd - (spent?.usd ?? 0)) }),
  };
}

/** What two processes of one attempt spent. A sum with an unknown price keeps what is known: a limit holds by that. */
export function sumOfSpend(one: Spend | null, other: Spend | null): Spend | null {
  if (one === null || other === null) return one ?? other;
  const outputTokens = one.outputTokens + other.outputTokens;
  if (one.usd === null && other.usd === null) return { outputTokens, usd: null };
  const isPart = [one, other].some(({ usd, estimated }) => usd === null || estimated === true);
  return { outputTokens, usd: (one.usd ?? 0) + (other.usd ?? 0), ...(isPart && { estimated: true as const }) };
}
