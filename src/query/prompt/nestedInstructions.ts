import type { QueryEvent } from '../events.ts';
import { runHooks } from '../runHooks.ts';
import type { State } from '../state.ts';
import type { Turn } from '../turn.ts';
import { instructionInput } from './instructionInput.ts';

/** A file in a folder with instructions of its own was read: they go to the model beside the result. */
export async function* loadNestedInstructions(
  turn: Turn,
  state: Pick<State, 'toolUseContext'>,
  triggerPath: string,
): AsyncGenerator<QueryEvent, readonly string[]> {
  const { files, problems } = await turn.deps.nestedInstructions.load(triggerPath);
  for (const problem of problems) yield turn.record(turn.make.system('informational', problem, { level: 'warning' }));
  for (const file of files) {
    yield* runHooks(turn, {
      event: 'InstructionsLoaded',
      context: state.toolUseContext,
      input: () => instructionInput({ ...file, triggerPath }),
    });
  }
  return files.filter(({ content }) => content !== '').map(({ path, content }) => `Contents of ${path}:\n\n${content}`);
}
