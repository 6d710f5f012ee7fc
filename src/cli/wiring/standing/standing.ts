import { userInfo } from 'node:os';
import { HOSTS } from '../../../hosts/all.ts';
import { WORKER } from '../../../stop/worker/workerIdentity.ts';
import type { Worker } from '../../../store/types.ts';
import { type Ancestor, ancestorsOf } from '../../../system/ancestors.ts';
import { attempt } from '../../../system/attempt.ts';
import type { Environment } from '../../../system/environment.ts';
import { MARKS } from '../../../system/marks.ts';
import { stopgateHome } from '../../../system/stopgateHome.ts';
import { isSameHost, thisHost } from '../../../system/thisHost.ts';
import { type Supervisor, supervisorsAmong } from './supervisors.ts';

/** Whether a person (or their script) or an agent called a command. */
export type Standing = { readonly type: 'person' } | Agent;

export interface Agent {
  readonly type: 'agent';
  /** How that is known, for the error message. */
  readonly how: string;
  /** From its environment, which an agent can change. */
  readonly envWorker: string | null;
  readonly hasMarks: boolean;
  /** From its ancestry; empty where that is unknown. */
  readonly supervisors: readonly Supervisor[];
  /** From its parent up to the outermost supervisor; processes above that are the person's. */
  readonly ancestors: readonly Ancestor[];
}

type StandingFacts = Pick<Agent, 'ancestors' | 'supervisors'> & { readonly env: Environment; readonly hosts?: boolean };

const setIn = (env: Environment, names: readonly string[]) => names.find((name) => env[name]);

/** Every agent sets one for the commands that its model runs. */
const HOST_MARKS = HOSTS.flatMap(({ agentVariables }) => agentVariables ?? []);

const KIND_COMMANDS = {
  worker: 'stopgate worker run',
  launch: 'stopgate launch',
  prompt: 'stopgate -p',
  session: 'stopgate',
  host: 'an agent',
} as const;

/** Either sign is enough: variables can be unset, and a process that outlives its parents has no ancestry. */
export function decideStanding({ env, ancestors, supervisors, hosts = false }: StandingFacts): Standing {
  const envWorker = env[WORKER] || null;
  const hasMarks = envWorker !== null || Boolean(env[MARKS.launch]);
  const mark = setIn(env, [WORKER, MARKS.launch, ...(hosts ? HOST_MARKS : [])]);
  const [nearest] = supervisors;
  if (nearest === undefined && mark === undefined) return { type: 'person' };
  const how =
    nearest === undefined
      ? `its environment has ${mark}`
      : `it was started by ${KIND_COMMANDS[nearest.kind]}, process ${nearest.pid}`;
  const outermost = supervisors.at(-1)?.pid;
  const own = ancestors.slice(0, ancestors.findIndex(({ pid }) => pid === outermost) + 1);
  return { type: 'agent', how, envWorker, hasMarks, supervisors, ancestors: own };
}

/** `hosts`: an agent that a person started by hand counts too, as for commands that only people may use. */
export function standingHere(env: Environment, { hosts = false } = {}): Standing {
  const ancestors = ancestorsOf();
  return decideStanding({ env, ancestors, supervisors: supervisorsAmong(ancestors, { hosts }), hosts });
}

/** Whether the process of a worker row is an ancestor of this command. */
export function isOwnProcess({ ancestors }: Agent, worker: Pick<Worker, 'host' | 'pid' | 'pidStart'>): boolean {
  if (!isSameHost(worker.host, thisHost()) || worker.pid === null) return false;
  return ancestors.some(
    ({ pid, startedAt }) => pid === worker.pid && (worker.pidStart === null || worker.pidStart === startedAt),
  );
}

/**
 * Whether this agent may be that of the worker: one process can run the agents of many workers, and each was started with the name of
 * its own. What the agent put into its environment later counts only where the system does not provide how it was started.
 */
export function isNamed({ supervisors, envWorker }: Agent, name: string, pid: number | null): boolean {
  const supervisor = supervisors.find((one) => one.kind === 'worker' && one.pid === pid);
  return (supervisor?.agentEnv?.[WORKER] ?? envWorker ?? name) === name;
}

/** Stopgate's folder of this user, wherever HOME points now. */
export const accountHome = (): string =>
  // a user id without a name, as in containers, has no home
  attempt(() => `${userInfo().homedir}/.stopgate`, stopgateHome(process.env));
