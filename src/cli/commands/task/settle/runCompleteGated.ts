import { settingsFiles } from '../../../../session/settings/settingsFiles.ts';
import { readTextFileSync } from '../../../../system/readTextFile.ts';
import { agentHere } from '../../../wiring/standing/refuseAgents.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { type CompleteOptions, type CompletionGate, runComplete } from './runSettle.ts';

interface Completing {
  readonly world: TaskWorld;
  readonly signal: AbortSignal;
}

/** `stopgate task complete`: loads the definition of done and the hook engine only where they are needed. */
export async function runCompleteGated(
  id: string | undefined,
  options: CompleteOptions,
  { world, signal }: Completing,
): Promise<number> {
  const agent = agentHere(options.store, world);
  const gates: CompletionGate[] = [];
  if (agent !== null) {
    const { doneGate } = await import('./checkDone.ts');
    gates.push(doneGate(agent, world, signal));
  }
  if (await mayHaveTaskHooks(world)) {
    const { hookGate } = await import('./runCompletionHooks.ts');
    gates.push(hookGate(world, signal));
  }
  return runComplete(id, options, { world, gates });
}

/** Whether a settings file could name a TaskCompleted hook. An unreadable one counts, so that it is reported. */
async function mayHaveTaskHooks({ cwd, homeDir, env }: TaskWorld): Promise<boolean> {
  const files = await settingsFiles({ projectDir: cwd, homeDir, env });
  return files.some(({ file }) => mayNameHook(file));
}

const LARGEST_BYTES = 1_000_000;

function mayNameHook(file: string): boolean {
  const read = readTextFileSync(file, LARGEST_BYTES);
  if (read.type !== 'read') return read.type === 'unreadable';
  // the name may be written with escapes
  return read.cut || read.text.includes('TaskCompleted') || read.text.includes('\\u');
}
