import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { taskFile } from '../schemas/task.ts';
import { writeFileAtomically } from '../system/atomicFile.ts';
import { newTask, type Task, type TaskList } from './taskList.ts';

/**
 * A task list that several agents share: one file a task. An id is taken by creating its file, which only one process
 * can; a change replaces the file whole. What cannot be read is left out, not guessed. Teams had theirs here before the
 * task store had them (`cli/teamTasks`); what is left in such folders is brought over with it.
 */
export function fileTaskList(directory: string): TaskList {
  const fileOf = (id: string) => path.join(directory, `${id}.json`);
  const read = async (id: string): Promise<Task | undefined> => {
    if (!/^\d{1,9}$/.test(id)) return undefined;
    try {
      const parsed = taskFile.safeParse(JSON.parse(await readFile(fileOf(id), 'utf8')));
      return parsed.success ? (parsed.data as Task) : undefined;
    } catch {
      return undefined;
    }
  };
  const write = (task: Task) => writeFileAtomically(fileOf(task.id), `${JSON.stringify(task)}\n`, { mode: 0o600 });
  const ids = async (): Promise<number[]> => {
    const names = await readdir(directory).catch(() => []);
    return names
      .flatMap((name) => (/^\d{1,9}\.json$/.test(name) ? [Number.parseInt(name, 10)] : []))
      .sort((a, b) => a - b);
  };
  return {
    create: async (asked) => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const id = await takeId(directory, ((await ids()).at(-1) ?? 0) + 1);
      const task = newTask(id, asked);
      await write(task);
      return task;
    },
    get: read,
    list: async () =>
      (await Promise.all((await ids()).map((id) => read(String(id))))).filter((task) => task !== undefined),
    update: async (id, change) => {
      const task = await read(id);
      if (!task) return undefined;
      const changed = { ...task, ...change, id };
      await write(changed);
      return changed;
    },
    delete: async (id) => {
      const known = (await read(id)) !== undefined;
      if (known) await rm(fileOf(id), { force: true });
      return known;
    },
  };
}

/** The first free id from `from` on: whoever creates the file has it. */
async function takeId(directory: string, from: number): Promise<string> {
  for (let id = from; ; id++) {
    try {
      const handle = await open(path.join(directory, `${id}.json`), 'wx', 0o600);
      await handle.close();
      return String(id);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
