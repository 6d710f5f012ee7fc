import { chooseStorePlace } from '../store/storePlace.ts';
import type { TaskWorld } from '../store/taskWorld.ts';
import { type Agent, accountHome, standingHere } from './standing.ts';
import { guardedBy, touchesGuarded } from './touches.ts';

/** The agent that called a task command, when it shares the store with others; null for people. */
export function agentHere(storeFlag: string | undefined, world: TaskWorld): Agent | null {
  const standing = standingHere(world.env);
  if (standing.type === 'person') return null;
  const store = chooseStorePlace({ flag: storeFlag, ...world });
  const touched = { home: world.stopgateHome, store, folder: null };
  return touchesGuarded(touched, standing, guardedBy(standing, accountHome())) ? standing : null;
}
