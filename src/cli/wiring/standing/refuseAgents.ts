import type { Command } from 'commander';
import { stopgateHome } from '../../../system/stopgateHome.ts';
import { UserError } from '../../../system/userError.ts';
import { chooseStorePlace } from '../store/storePlace.ts';
import { TASK_EXIT } from '../store/taskExit.ts';
import type { TaskWorld } from '../store/taskWorld.ts';
import { type Agent, accountHome, standingHere } from './standing.ts';
import { guardedBy, touchesGuarded } from './touches.ts';
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
