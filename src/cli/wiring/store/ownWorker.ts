import { MANUAL_KIND } from '../../../store/worker.ts';
import { ancestorsOf } from '../../../system/ancestors.ts';
import type { Environment } from '../../../system/environment.ts';
import { isProcessGone, startOfProcess } from '../../../system/processLife.ts';
import { ownName, thisHost } from '../../../system/thisHost.ts';
import { UserError } from '../../../system/userError.ts';
import { available, type Store, type Worker } from './openedStore.ts';

export interface OwnWorker {
  readonly name: string;
  /** Derived from host and parent process. */
  readonly isDefault: boolean;
  /** From the supervisor that started this process. */
  readonly incarnation?: number | undefined;
}

/** The worker name for claims: the flag, else the supervisor's variable, else host and calling process. */
export function ownWorker(flag: string | undefined, env: Environment): OwnWorker {
  if (flag !== undefined) return { name: named(flag), isDefault: false };
  if (!env.STOPGATE_WORKER) return { name: defaultName(), isDefault: true };
  const incarnation = Number(env.STOPGATE_WORKER_INCARNATION || Number.NaN);
  return {
    name: env.STOPGATE_WORKER,
    isDefault: false,
    ...(Number.isSafeInteger(incarnation) ? { incarnation } : {}),
  };
}

const defaultName = () => `${ownName()}-${callingProcess()?.pid ?? process.ppid}`;

function named(flag: string): string {
  if (/^[\w.:@/-]{1,100}$/.test(flag)) return flag;
  throw new UserError(`'${flag}' is not a valid worker name; use letters, digits and . : @ / _ -`);
}

/** The usable incarnation in the store, or null when the worker must register first. */
export async function knownIncarnation(store: Store, own: OwnWorker): Promise<number | null> {
  if (own.incarnation !== undefined) return own.incarnation;
  const [worker] = available(await store.workers({ workerId: own.name })).workers;
  if (!worker || worker.state === 'stopped' || worker.state === 'lost') return null;
  // process ids are reused: the worker of an earlier process is not ours
  if (own.isDefault && isProcessGone(worker)) {
    await reapGone(store, worker);
    return null;
  }
  return worker.incarnation;
}

async function reapGone(store: Store, { id, incarnation }: Worker): Promise<void> {
  const reason = 'its process has ended';
  available(await store.reap({ workerId: id, incarnation, evidence: 'exited', staleAfterMs: 0, graceMs: 0, reason }));
}

/** Registers the worker; returns the incarnation for claims. */
export async function registerOwn(
  store: Store,
  own: OwnWorker,
  { queue, types }: { readonly queue?: string | undefined; readonly types?: readonly string[] | undefined },
): Promise<number> {
  const caller = callingProcess();
  const outcome = available(
    await store.registerWorker({
      workerId: own.name,
      kind: MANUAL_KIND,
      queue,
      types: types ?? null,
      host: thisHost(),
      pid: caller?.pid ?? null,
      pidStart: caller?.startedAt ?? null,
      idleLimitMs: null,
    }),
  );
  if (outcome.type === 'occupied') {
    throw new UserError(
      `The worker ${own.name} still has task ${outcome.lease.taskId}; complete, fail or release it first, or use another name with --worker.`,
    );
  }
  // it named none
  if (outcome.type === 'otherLease') throw new Error('A lease was compared that was not named.');
  return outcome.incarnation;
}

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish', 'ash', 'busybox']);
const MOST_LEVELS = 8;

/**
 * The caller, skipping shells that run only one command: the `sh -c …` of each call of an agent, and the copy of itself that a
 * script starts for `$(…)`. A claim is active while this process lives, and must not look abandoned when such a shell ends.
 * Null when that leads to init.
 */
function callingProcess(): { readonly pid: number; readonly startedAt: string | null } | null {
  const ancestors = ancestorsOf();
  const lasts = (words: readonly string[], at: number) => !endsWithOneCommand(words, ancestors[at + 1]?.words);
  const caller = ancestors.slice(0, MOST_LEVELS).find(({ words }, at) => lasts(words, at));
  // the ancestry is not known on every system
  const pid = ancestors.length === 0 ? process.ppid : (caller?.pid ?? 1);
  return pid > 1 ? { pid, startedAt: startOfProcess(pid) ?? null } : null;
}

function endsWithOneCommand(words: readonly string[], ofParent: readonly string[] = []): boolean {
  const [program = '', ...args] = words;
  // a login shell is called -bash
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/^-/, '');
  if (!SHELLS.has(name)) return false;
  const firstWord = args.findIndex((arg) => !arg.startsWith('-'));
  const options = firstWord === -1 ? args : args.slice(0, firstWord);
  return options.some((arg) => /^-[a-z]*c[a-z]*$/.test(arg)) || words.join('\0') === ofParent.join('\0');
}
