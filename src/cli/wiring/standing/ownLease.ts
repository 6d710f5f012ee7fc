import { MANUAL_KIND } from '../../../store/worker.ts';
import { available, type Lease, type Store, type Worker } from '../store/openedStore.ts';
import type { OwnWorker } from '../store/ownWorker.ts';
import { type Agent, isNamed, isOwnProcess } from './standing.ts';

/** Why an agent may not settle a claim; null for its own claim. */
export async function whyNotOwnLease(agent: Agent, { taskId, workerId }: Lease, store: Store): Promise<string | null> {
  const row = await workerRow(store, workerId);
  return decideOwnWorker(agent, workerId, row) ? null : notOwn(agent, taskId, workerId);
}

/** The same by what the worker noted on this machine, while the store cannot be asked. */
export function whyNotOwnProcess(
  agent: Agent,
  { taskId, workerId }: Lease,
  process: Pick<Worker, 'host' | 'pid' | 'pidStart'>,
): string | null {
  // only workers with agents note it
  return decideOwnWorker(agent, workerId, { ...process, kind: 'default' }) ? null : notOwn(agent, taskId, workerId);
}

function notOwn(agent: Agent, taskId: string, workerId: string): string {
  return `Task ${taskId} is claimed by the worker ${workerId}, and this shell belongs to another agent (${agent.how}); an agent settles only its own claim; a person can settle it in their own terminal.`;
}

/** Why an agent may not claim under a name; null for its own name. */
export async function whyNotClaimAs(agent: Agent, own: OwnWorker, store: Store): Promise<string | null> {
  const row = await workerRow(store, own.name);
  const isFree = row === undefined || row.state === 'stopped' || row.state === 'lost';
  // an agent without its own worker may use a free name
  if (isFree ? !hasWorker(agent) : decideOwnWorker(agent, own.name, row)) return null;
  return `This shell belongs to an agent (${agent.how}), which claims only for its own worker, not as ${own.name}; a person can claim in their own terminal.`;
}

/** By process where that is known, since an agent can put any name into its environment. */
export function decideOwnWorker(
  agent: Agent,
  name: string,
  row: Pick<Worker, 'host' | 'pid' | 'pidStart' | 'kind'> | undefined,
): boolean {
  if (row !== undefined && isOwnProcess(agent, row)) return isNamed(agent, name, row.pid);
  if (agent.supervisors.length > 0) return false;
  // without a known ancestry its variables decide; a launch, which has no worker, may settle manual claims
  return agent.envWorker === null ? row?.kind === MANUAL_KIND : agent.envWorker === name;
}

const hasWorker = ({ supervisors, envWorker }: Agent) =>
  envWorker !== null || supervisors.some(({ kind }) => kind === 'worker');

async function workerRow(store: Store, workerId: string): Promise<Worker | undefined> {
  return available(await store.workers({ workerId })).workers[0];
}
