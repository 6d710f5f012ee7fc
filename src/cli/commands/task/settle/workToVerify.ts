import { definedOnly } from '../../../../system/definedOnly.ts';
import type { Agent } from '../../../wiring/standing/standing.ts';
import type { AttemptDetails } from '../../../wiring/store/openedStore.ts';
import type { WaitingWorld } from '../../../wiring/store/taskWorld.ts';
import type { Claim } from './findLease.ts';

/**
 * Keeps the work of a task that will be verified in a commit, and returns where it is; null for one that is done when it is completed.
 * Loaded only where it is needed.
 */
export async function workToVerify(
  { store, lease }: Claim,
  agent: Agent | null,
  world: WaitingWorld,
): Promise<AttemptDetails | null> {
  // a store that cannot be reached must not keep work from being settled: then what was frozen for the agent decides
  const asked = await store.task({ id: lease.taskId });
  const verify = asked.type === 'found' ? asked.task.verify : null;
  const { NO_VERIFICATION } = await import('../../../../store/verification.ts');
  // by hand, only what the task itself names is verified
  if (verify === NO_VERIFICATION || (verify === null && agent === null)) return null;
  const found = await store.attempts({ taskId: lease.taskId });
  const attempts = found.type === 'attempts' ? found.attempts : [];
  const own = attempts.find(({ id }) => id === lease.attemptId)?.details ?? {};
  const supervisor = agent?.supervisors.find(({ kind }) => kind === 'worker') ?? agent?.supervisors[0];
  const { keptForVerifier } = await import('./keptForVerifier.ts');
  const env = supervisor?.agentEnv ?? definedOnly(world.env);
  return keptForVerifier({ lease, verify, own, env, folder: own.worktree ?? supervisor?.folder ?? world.cwd });
}
