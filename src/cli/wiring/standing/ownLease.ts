import { available, type Lease, type Store, type Worker } from '../store/openedStore.ts';
import { MANUAL_KIND, type OwnWorker } from '../store/ownWorker.ts';
import { type Agent, isOwnProcess } from './standing.ts';

/** Why an agent may not settle a claim; null when it is its own. */
export async function whyNotOwnLease(agent: Agent, { taskId, workerId }: Lease, store: Store): Promise<string | null> {
  const row = await workerRow(store, workerId);
  if (decideOwnWorker(agent, workerId, row)) return null;
  return `Task ${taskId} is claimed by the worker ${workerId}, and this shell belongs to another agent (${agent.how}); an agent settles its own claim only, a person any in a terminal of their own.`;
}

/** Why an agent may not claim under a name; null when it is its own. */
export async function whyNotClaimAs(agent: Agent, own: OwnWorker, store: Store): Promise<string | null> {
  const row = await workerRow(store, own.name);
  const isFree = row === undefined || row.state === 'stopped' || row.state === 'lost';
  // an agent without a worker of its own may be one, under a name that is not in use
  if (isFree ? !hasWorker(agent) : decideOwnWorker(agent, own.name, row)) return null;
  return `This shell belongs to an agent (${agent.how}), which claims for its own worker only, not as ${own.name}; a person claims in a terminal of their own.`;
}

/** By process where that is known, since an agent can put any name into its environment. */
export function decideOwnWorker(agent: Agent, name: string, row: Worker | undefined): boolean {
  if (row !== undefined && isOwnProcess(agent, row)) return true;
  if (agent.supervisors.length > 0) return false;
  // where no ancestry is known: what its variables say, and for a launch, which has no worker, what no supervisor holds
  return agent.envWorker === null ? row?.kind === MANUAL_KIND : agent.envWorker === name;
}

const hasWorker = ({ supervisors, envWorker }: Agent) =>
  envWorker !== null || supervisors.some(({ kind }) => kind === 'worker');

async function workerRow(store: Store, workerId: string): Promise<Worker | undefined> {
  return available(await store.workers({ workerId })).workers[0];
}
