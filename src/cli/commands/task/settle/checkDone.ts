import path from 'node:path';
import { askCompletion } from '../../../../stop/askCompletion.ts';
import { completionSession, readStart } from '../../../../stop/startFile.ts';
import { definedOnly } from '../../../../system/definedOnly.ts';
import { stopgateHome } from '../../../../system/stopgateHome.ts';
import type { Agent } from '../../../wiring/standing/standing.ts';
import { available } from '../../../wiring/store/openedStore.ts';
import type { WaitingWorld } from '../../../wiring/store/taskWorld.ts';
import type { Claim } from './findLease.ts';

/**
 * Runs the definition of done before an agent's completion is written: the same checks as at its stop, in the folder and
 * environment of its supervisor. The shell's own environment is ignored, because the agent could change it.
 */
export async function whyNotDone(claim: Claim, agent: Agent, world: WaitingWorld): Promise<string | null> {
  const { clock, signal } = world;
  const supervisor = agent.supervisors.find(({ kind }) => kind === 'worker') ?? agent.supervisors[0];
  const env = supervisor?.agentEnv ?? definedOnly(world.env);
  const home = stopgateHome(env);
  const session = completionSession(claim.lease);
  const start = readStart(home, session);
  const armed = start?.file ? path.dirname(start.file) : null;
  const folder = armed ?? (await worktreeOf(claim)) ?? supervisor?.folder ?? world.cwd;
  return askCompletion({
    folder,
    session,
    worker: claim.lease.workerId,
    start,
    env,
    stopgateHome: home,
    clock,
    signal,
  });
}

async function worktreeOf({ store, known, lease: { taskId, attemptId } }: Claim): Promise<string | null> {
  if (known !== undefined) return known.worktree;
  const { attempts } = available(await store.attempts({ taskId }));
  return attempts.find(({ id }) => id === attemptId)?.details.worktree ?? null;
}
