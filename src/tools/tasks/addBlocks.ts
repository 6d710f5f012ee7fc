import type { TaskList } from '../../session/taskList.ts';

interface Links {
  readonly taskId: string;
  readonly addBlocks?: readonly string[] | undefined;
  readonly addBlockedBy?: readonly string[] | undefined;
}

type PreparedLinks =
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'ready'; readonly fields: readonly string[]; write(): Promise<void> };

/** Checks links between tasks; `write` then sets both ends of each, so that either task tells of it. */
export async function addBlocks(links: Links, tasks: TaskList): Promise<PreparedLinks> {
  const { taskId, addBlocks: blocks = [], addBlockedBy: blockedBy = [] } = links;
  for (const id of [...blocks, ...blockedBy]) {
    if (id === taskId) return { type: 'refused', message: `Task #${taskId} cannot wait for itself.` };
    if (!(await tasks.get(id))) return { type: 'refused', message: `There is no task #${id} to link to.` };
  }
  const fields = [...(blocks.length > 0 ? ['blocks'] : []), ...(blockedBy.length > 0 ? ['blockedBy'] : [])];
  return {
    type: 'ready',
    fields,
    async write() {
      for (const id of blocks) await link(taskId, id, tasks);
      for (const id of blockedBy) await link(id, taskId, tasks);
    },
  };
}

async function link(first: string, then: string, tasks: TaskList): Promise<void> {
  const [blocker, blocked] = [await tasks.get(first), await tasks.get(then)];
  if (!blocker || !blocked) return;
  await tasks.update(first, { blocks: [...new Set([...blocker.blocks, then])] });
  await tasks.update(then, { blockedBy: [...new Set([...blocked.blockedBy, first])] });
}
