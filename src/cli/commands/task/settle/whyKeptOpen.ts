import { settingsFiles } from '../../../../session/settings/settingsFiles.ts';
import { readTextFileSync } from '../../../../system/readTextFile.ts';
import type { Agent } from '../../../wiring/standing/standing.ts';
import type { WaitingWorld } from '../../../wiring/store/taskWorld.ts';
import { findTask } from '../findTask.ts';
import type { Claim } from './findLease.ts';

/**
 * Why a task must stay open, or null: the definition of done for agents, then the TaskCompleted hooks of the settings. Both
 * are loaded only where they are needed.
 */
export async function whyKeptOpen(claim: Claim, agent: Agent | null, world: WaitingWorld): Promise<string | null> {
  if (agent !== null) {
    const { whyNotDone } = await import('./checkDone.ts');
    const why = await whyNotDone(claim, agent, world);
    if (why !== null) return why;
  }
  if (!(await mayHaveTaskHooks(world))) return null;
  const { runCompletionHooks } = await import('./runCompletionHooks.ts');
  const { taskId: id } = claim.lease;
  return runCompletionHooks(claim.known ? { id, ...claim.known } : await findTask(claim.store, id), world);
}

const LARGEST_BYTES = 1_000_000;

/** Whether a settings file could name a TaskCompleted hook. An unreadable one counts, so that it is reported. */
async function mayHaveTaskHooks({ cwd, homeDir, env }: WaitingWorld): Promise<boolean> {
  const files = await settingsFiles({ projectDir: cwd, homeDir, env });
  return files.some(({ file }) => {
    const read = readTextFileSync(file, LARGEST_BYTES);
    if (read.type !== 'read') return read.type === 'unreadable';
    // the name may be written with escapes
    return read.cut || read.text.includes('TaskCompleted') || read.text.includes('\\u');
  });
}
