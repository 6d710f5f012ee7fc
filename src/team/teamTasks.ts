import type { TaskList } from '../session/taskList.ts';
import type { OpenTeamList, TeamListOptions } from './storeTaskList.ts';

export interface TeamTasks extends AsyncDisposable {
  readonly list: TaskList;
}

/** A team's task list that opens its store, and loads the code for it, at first use. */
export function teamTasks(options: TeamListOptions): TeamTasks {
  let opening: Promise<OpenTeamList> | undefined;
  const open = async (): Promise<TaskList> => {
    opening ??= import('./storeTaskList.ts').then(({ openTeamList }) => openTeamList(options));
    try {
      return (await opening).list;
    } catch (error) {
      // the next call tries again
      opening = undefined;
      throw error;
    }
  };
  return {
    list: {
      create: async (task) => (await open()).create(task),
      get: async (id) => (await open()).get(id),
      list: async () => (await open()).list(),
      update: async (id, change) => (await open()).update(id, change),
      delete: async (id) => (await open()).delete(id),
    },
    [Symbol.asyncDispose]: async () => {
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}
