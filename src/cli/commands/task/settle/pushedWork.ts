import { PUSH_REQUESTS } from '../../../../stop/worker/workerIdentity.ts';
import { newClaimKey } from '../../../../system/ids.ts';
import type { Agent } from '../../../wiring/standing/standing.ts';
import type { AttemptDetails } from '../../../wiring/store/openedStore.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';

/** Less than the two minutes that agents usually give a command. */
const LONGEST_MS = 90_000;

/**
 * Has the worker of an agent push its work before the task is settled: from then on another machine may need it. The worker has the
 * credentials, the agent has not. Null where nothing is pushed.
 */
export async function pushedWork(agent: Agent | null, world: TaskWorld): Promise<AttemptDetails | null> {
  const supervisor = agent?.supervisors.find(({ kind }) => kind === 'worker');
  const folder = (supervisor?.agentEnv ?? world.env)[PUSH_REQUESTS];
  if (agent === null || folder === undefined || folder === '') return null;
  const { requestPush } = await import('../../../../launch/attempt/repository/pushRequests.ts');
  const call = { folder, clock: world.clock, id: newClaimKey(), longestMs: LONGEST_MS };
  return (await requestPush(call)) ?? { pushProblem: 'its worker did not push it within 90s; it goes on trying' };
}

/** A sentence for who settled it, if the work is not where other machines look for it. */
export function notPushed(details: AttemptDetails | null): string {
  return details?.pushProblem
    ? ` Its work is kept on this machine, but is not on its remote: ${details.pushProblem}`
    : '';
}
