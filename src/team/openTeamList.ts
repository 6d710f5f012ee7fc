import { type TaskList, TaskListError } from '../session/taskList.ts';
import { openStore } from '../store/openStore.ts';
import type { StorePlace } from '../store/storePlace.ts';
import { StoreUnavailableError } from '../store/unavailable.ts';
import { systemIds } from '../system/ids.ts';
import { storeTaskList } from './storeTaskList.ts';
import { giveAllBack } from './teamClaims.ts';
import { thisProcess } from './thisProcess.ts';

export interface TeamListOptions {
  readonly team: string;
  readonly name: string;
  readonly sessionId: string;
  readonly place: StorePlace;
  /** One sentence for whoever looks at stderr. */
  say(sentence: string): void;
}

export interface OpenTeamList {
  readonly list: TaskList;
  /** Gives back what this process still holds. */
  close(): Promise<void>;
}

/** A pool for one agent: it asks one thing after the other. */
const CONNECTIONS = 4;

export async function openTeamList(options: TeamListOptions): Promise<OpenTeamList> {
  const { team, name, sessionId, place, say } = options;
  const store = await openStore(place, { connections: CONNECTIONS });
  if ('type' in store) throw new TaskListError(`The team's task list is out of reach: ${store.reason}`);
  const context = { store, team, name, sessionId, process: thisProcess(), ids: systemIds };
  const close = async () => {
    try {
      await giveAllBack(context);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      say(`What ${name} was working on could not be given back: ${error.message}`);
    } finally {
      await store.close();
    }
  };
  return { list: storeTaskList(context), close };
}
