import type { StorePlace } from '../cli/wiring/store/storePlace.ts';
import { type TaskList, TaskListError } from '../session/taskList.ts';
import { openStore } from '../store/openStore.ts';
import { StoreUnavailableError } from '../store/unavailable.ts';
import { systemIds } from '../system/ids.ts';
import { storeTaskList } from './storeTaskList.ts';
import { takeOverFiles } from './takeOverFiles.ts';
import { giveAllBack } from './teamClaims.ts';
import { thisProcess } from './thisProcess.ts';

export interface TeamListOptions {
  readonly team: string;
  readonly name: string;
  readonly sessionId: string;
  readonly place: StorePlace;
  /** Where earlier versions kept a team's tasks. */
  readonly oldFolder: string;
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
  const { team, name, sessionId, place, oldFolder, say } = options;
  const spec = place.type === 'postgres' ? place.url : place.path;
  const store = await openStore(spec, { defaultPath: spec, connections: CONNECTIONS });
  if ('type' in store) throw new TaskListError(`The team's task list is out of reach: ${store.reason}`);
  const context = { store, team, name, sessionId, process: thisProcess(), ids: systemIds };
  try {
    const moved = await takeOverFiles(context, oldFolder);
    if (moved !== undefined) say(moved);
  } catch (error) {
    await store.close();
    const reason = (error as Error).message;
    throw new TaskListError(`The team's tasks in ${oldFolder} could not be brought into the task store: ${reason}`);
  }
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
