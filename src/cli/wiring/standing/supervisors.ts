import { WORKER } from '../../../stop/worker/workerIdentity.ts';
import { type Ancestor, folderOfProcess, startEnvironment } from '../../../system/ancestors.ts';
import { MARKS } from '../../../system/marks.ts';
import { stopgateHome } from '../../../system/stopgateHome.ts';

/** What starts agents: everything below one of these is an agent's. */
export type SupervisorKind = 'worker' | 'launch' | 'prompt';

/** A process above this one that runs an agent, and what it was started with. */
export interface Supervisor {
  readonly kind: SupervisorKind;
  readonly pid: number;
  readonly startedAt: string;
  readonly words: readonly string[];
  /** Null where the system does not say. */
  readonly folder: string | null;
  readonly home: string | null;
  /** What its agent was started with, before the agent could change anything; null where the system does not say. */
  readonly agentEnv: Readonly<Record<string, string>> | null;
}

/** Those above this process, the nearest first. */
export function supervisorsAmong(ancestors: readonly Ancestor[]): readonly Supervisor[] {
  return ancestors.flatMap((ancestor, index) => {
    const kind = supervisorKind(ancestor.words);
    if (kind === null) return [];
    const env = startEnvironment(ancestor.pid);
    return [
      {
        ...ancestor,
        kind,
        folder: folderOfProcess(ancestor.pid),
        home: env === null ? null : stopgateHome(env),
        agentEnv: kind === 'prompt' ? env : agentEnvironment(ancestors.slice(0, index)),
      },
    ];
  });
}

/** Of the highest process below the supervisor that has its marks: what starts commands for us stands in between. */
function agentEnvironment(below: readonly Ancestor[]): Readonly<Record<string, string>> | null {
  for (const { pid } of below.toReversed()) {
    const env = startEnvironment(pid);
    if (env !== null && (WORKER in env || MARKS.launch in env)) return env;
  }
  return null;
}

const NAMES = new Set(['stopgate', 'stopgate.js']);
/** Where the script of a process can be: behind its interpreter and that one's options. */
const FIRST_WORDS = 12;

/** What a command line starts; null when it is not a Stopgate that runs an agent. */
export function supervisorKind(words: readonly string[]): SupervisorKind | null {
  const at = words.slice(0, FIRST_WORDS).findIndex((word) => NAMES.has(word.slice(word.lastIndexOf('/') + 1)));
  if (at === -1) return null;
  const rest = words.slice(at + 1);
  const end = rest.indexOf('--');
  const own = end === -1 ? rest : rest.slice(0, end);
  const command = own.find((word) => COMMANDS.has(word));
  if (command === 'worker') return own.includes('run') ? 'worker' : null;
  if (command === 'launch') return 'launch';
  return own.some((word) => word === '-p' || word === '--print') ? 'prompt' : null;
}

const COMMANDS = new Set(['worker', 'launch']);
