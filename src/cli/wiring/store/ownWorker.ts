import { hostname } from 'node:os';
import { isSameProcess } from '../../../system/processLife.ts';
import { UserError } from '../../../system/userError.ts';
import { callingProcess } from './callingProcess.ts';
import { available, type Store, type Worker } from './openedStore.ts';

/** Workers of people, scripts and agents that nobody supervises: no timer beats for them, so silence says nothing. */
export const MANUAL_KIND = 'manual';

export interface OwnWorker {
  readonly name: string;
  /** From host and parent process: nobody chose it. */
  readonly isDefault: boolean;
  /** Of the supervisor that started us. */
  readonly incarnation?: number | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

/** As whom we claim: the flag, else what a supervisor put into the environment, else host and calling process. */
export function ownWorker(flag: string | undefined, env: Env): OwnWorker {
  if (flag !== undefined) return { name: named(flag), isDefault: false };
  if (!env.STOPGATE_WORKER) return { name: defaultName(), isDefault: true };
  const incarnation = Number(env.STOPGATE_WORKER_INCARNATION || Number.NaN);
  return {
    name: env.STOPGATE_WORKER,
    isDefault: false,
    ...(Number.isSafeInteger(incarnation) ? { incarnation } : {}),
  };
}

const defaultName = () => `${hostname().split('.')[0]}-${callingProcess()?.pid ?? process.ppid}`;

function named(flag: string): string {
  if (/^[\w.:@/-]{1,100}$/.test(flag)) return flag;
  throw new UserError(`'${flag}' cannot be the name of a worker; use letters, digits and . : @ / _ -`);
}

/** What the store has under our name and may be used, or null when we have to register first. */
export async function knownIncarnation(store: Store, own: OwnWorker): Promise<number | null> {
  if (own.incarnation !== undefined) return own.incarnation;
  const [worker] = available(await store.workers({ workerId: own.name })).workers;
  if (!worker || worker.state === 'stopped' || worker.state === 'lost') return null;
  if (own.isDefault && isFromAnotherLife(worker)) {
    await reapGone(store, worker);
    return null;
  }
  return worker.incarnation;
}

/** A process id comes round again: what its last owner left is not ours. */
function isFromAnotherLife({ host, pid, pidStart }: Worker): boolean {
  return host === hostname() && pid !== null && !isSameProcess(pid, pidStart ?? undefined);
}

async function reapGone(store: Store, { id, incarnation }: Worker): Promise<void> {
  const reason = 'its process is gone';
  available(await store.reap({ workerId: id, incarnation, evidence: 'exited', staleAfterMs: 0, graceMs: 0, reason }));
}

export interface RegisterFacts {
  readonly queue?: string | undefined;
  readonly types?: readonly string[] | undefined;
}

/** Makes us known; the incarnation to claim with. */
export async function registerOwn(store: Store, own: OwnWorker, { queue, types }: RegisterFacts): Promise<number> {
  const caller = callingProcess();
  const outcome = available(
    await store.registerWorker({
      workerId: own.name,
      kind: MANUAL_KIND,
      queue,
      types: types ?? null,
      host: hostname(),
      pid: caller?.pid ?? null,
      pidStart: caller?.startedAt ?? null,
      idleLimitMs: null,
    }),
  );
  if (outcome.type === 'occupied') {
    throw new UserError(
      `The worker ${own.name} still has task ${outcome.lease.taskId}; complete, fail or release that first, or claim with --worker and another name.`,
    );
  }
  return outcome.incarnation;
}
