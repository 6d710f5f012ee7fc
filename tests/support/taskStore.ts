import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { openStore } from '../../src/store/openStore.ts';
import type { Account } from '../../src/store/types.ts';
import { available } from '../../src/store/unavailable.ts';
import type { TestProject } from './project.ts';

/** The store that nobody needs to name, asked without the start of a command for each question. */
export async function taskStore({ home }: Pick<TestProject, 'home'>) {
  const folder = path.join(home, '.stopgate');
  mkdirSync(folder, { recursive: true });
  const opened = await openStore(path.join(folder, 'stopgate.db'));
  if ('type' in opened) throw new Error(opened.reason);
  const store = opened;
  return {
    add: async (...titles: readonly string[]): Promise<readonly string[]> => {
      const added = available(await store.addTasks({ tasks: titles.map((title) => ({ title })) }));
      if (added.type !== 'added') throw new Error(JSON.stringify(added));
      return added.tasks.map(({ id }) => id);
    },
    show: async (id: string) => {
      const found = available(await store.task({ id }));
      if (found.type !== 'found') throw new Error(JSON.stringify(found));
      const { attempts } = available(await store.attempts({ taskId: found.task.id }));
      return { task: found.task, attempts };
    },
    accounts: async (): Promise<readonly Account[]> => available(await store.accounts({})).accounts,
    resume: async (key: string) => available(await store.resumeAccount({ key })).type,
    [Symbol.asyncDispose]: () => store.close(),
  };
}
