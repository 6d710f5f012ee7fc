import type { Command } from 'commander';
import { stopgateHome } from '../../../system/stopgateHome.ts';
import { UserError } from '../../../system/userError.ts';
import { chooseStorePlace } from '../store/storePlace.ts';
import { TASK_EXIT } from '../store/taskExit.ts';
import type { TaskWorld } from '../store/taskWorld.ts';
import { type Agent, accountHome, standingHere } from './standing.ts';
import { guardedBy, touchesGuarded } from './touches.ts';
import { verbOf } from './verbs.ts';

/** Commands that change the settings of the folder they are run in. */
const OF_FOLDER = new Set(['init', 'remove']);

/** Throws when an agent calls a command that only a person may use. */
export function refuseAgents(command: Command): void {
  const verb = verbOf(command);
  const standing = standingHere(process.env);
  if (standing.type === 'person') return;
  const { store } = command.optsWithGlobals<{ store?: string }>();
  const home = stopgateHome(process.env);
  const place = { flag: store, env: process.env, stopgateHome: home, cwd: process.cwd() };
  const touched = {
    home,
    store: chooseStorePlace(place),
    folder: OF_FOLDER.has(verb) ? process.cwd() : null,
  };
  if (touchesGuarded(touched, standing, guardedBy(standing, accountHome()))) throw notForAgents(verb, standing);
}

function notForAgents(verb: string, { how }: Agent): UserError {
  return new UserError(
    `stopgate ${verb} is for people, and this shell belongs to an agent (${how}); a person can run it in their own terminal.`,
    TASK_EXIT.refused,
  );
}

/** The agent that called a task command, when it shares the store with others; null for people. */
export function agentHere(storeFlag: string | undefined, world: TaskWorld): Agent | null {
  const standing = standingHere(world.env);
  if (standing.type === 'person') return null;
  const store = chooseStorePlace({ flag: storeFlag, ...world });
  const touched = { home: world.stopgateHome, store, folder: null };
  return touchesGuarded(touched, standing, guardedBy(standing, accountHome())) ? standing : null;
}
