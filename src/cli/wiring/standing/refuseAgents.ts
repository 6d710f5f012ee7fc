import { statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import type { StorePlace } from '../../../store/storePlace.ts';
import { realPath } from '../../../system/realPath.ts';
import { stopgateHome } from '../../../system/stopgateHome.ts';
import { UserError } from '../../../system/userError.ts';
import { chooseStorePlace } from '../store/storePlace.ts';
import { TASK_EXIT } from '../store/taskExit.ts';
import type { TaskWorld } from '../store/taskWorld.ts';
import { type Agent, accountHome, standingHere } from './standing.ts';
import { VERBS, verbOf } from './verbs.ts';

/** Commands that change the settings of the folder they are run in. */
const OF_FOLDER = new Set(['init', 'remove']);

/** Throws when an agent calls a command that only a person may use. */
export function refuseAgents(command: Command): void {
  refuseAgentsFor(verbOf(command), command.optsWithGlobals<{ store?: string }>().store);
}

/** The same for a command that is chosen inside another one, by a key. */
export function refuseAgentsFor(verb: string, store: string | undefined): void {
  if (VERBS[verb] !== 'person') return;
  const { env } = process;
  const cwd = process.cwd();
  const world = { env, cwd, stopgateHome: stopgateHome(env) };
  const agent = agentHere(store, world, { folder: OF_FOLDER.has(verb) ? cwd : null, hosts: true });
  if (agent === null) return;
  throw new UserError(
    `stopgate ${verb} is for people, and this shell belongs to an agent (${agent.how}); a person can run it in their own terminal.`,
    TASK_EXIT.refused,
  );
}

/** The agent that called a command, when that touches what is not the agent's own; null for people. */
export function agentHere(
  storeFlag: string | undefined,
  world: Pick<TaskWorld, 'env' | 'cwd' | 'stopgateHome'>,
  { folder = null, hosts = false }: { readonly folder?: string | null; readonly hosts?: boolean } = {},
): Agent | null {
  const standing = standingHere(world.env, { hosts });
  if (standing.type === 'person') return null;
  const store = chooseStorePlace({ flag: storeFlag, ...world });
  const touched = { home: world.stopgateHome, store, folder };
  return touchesGuarded(touched, standing, guardedBy(standing, accountHome())) ? standing : null;
}

/** Everything that a command would change. */
interface Touched {
  readonly home: string;
  readonly store: StorePlace;
  /** For commands that change the settings of a folder. */
  readonly folder: string | null;
}

/** Everything that belongs to the person whose agent this is. */
function guardedBy({ supervisors }: Agent, accountHome: string) {
  const homes = [accountHome, ...supervisors.flatMap(({ home }) => home ?? [])];
  const named = supervisors.flatMap(({ agentEnv }) => agentEnv?.STOPGATE_STORE ?? []);
  return {
    homes,
    folders: supervisors.flatMap(({ folder }) => folder ?? []),
    stores: [...homes.map((home) => path.join(home, 'stopgate.db')), ...named],
  };
}

/**
 * Whether a command of an agent touches anything guarded, unlike the temporary home of a test that the agent runs. With marks
 * in the environment it always does: that is the agent itself. So does one without ancestry: whose home is its person's is unknown.
 */
export function touchesGuarded(touched: Touched, agent: Agent, guarded: ReturnType<typeof guardedBy>): boolean {
  const { supervisors } = agent;
  if (agent.hasMarks || supervisors.length === 0 || supervisors.some(({ home }) => home === null)) return true;
  if (guarded.homes.some((home) => isSame(home, touched.home))) return true;
  const { folder, store } = touched;
  if (folder !== null && guarded.folders.some((one) => isInside(folder, one))) return true;
  // one database has many addresses, so any address counts
  if (store.type === 'postgres') return guarded.stores.some((one) => /^postgres(ql)?:\/\//.test(one));
  return guarded.stores.some((one) => isSame(one, store.path));
}

/** The same file or folder, also through links. */
function isSame(one: string, other: string): boolean {
  if (path.resolve(one) === path.resolve(other)) return true;
  const [a, b] = [one, other].map((name) => statSync(name, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

function isInside(folder: string, outer: string): boolean {
  const inside = path.relative(realPath(outer), realPath(folder));
  return !inside.startsWith('..') && !path.isAbsolute(inside);
}
