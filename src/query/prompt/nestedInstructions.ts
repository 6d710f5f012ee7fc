import type { HookFields } from '../../hooks/executeEvents.ts';
import type { InstructionFile } from '../../session/instructions/instructionFile.ts';
import type { QueryEvent } from '../events.ts';
import { runHooks } from '../runHooks.ts';
import type { State } from '../state.ts';
import type { Turn } from '../turn.ts';

/** A file of instructions that went into the context. */
export interface InstructionFacts extends Omit<InstructionFile, 'content'> {
  /** The file whose reading led to this one. */
  readonly triggerPath?: string;
}

/** The input of InstructionsLoaded hooks for one file. */
export function instructionInput(file: InstructionFacts): HookFields<'InstructionsLoaded'> {
  return {
    file_path: file.path,
    memory_type: file.memoryType,
    load_reason: file.loadReason,
    ...(file.globs ? { globs: [...file.globs] } : {}),
    ...(file.parentPath ? { parent_file_path: file.parentPath } : {}),
    ...(file.triggerPath ? { trigger_file_path: file.triggerPath } : {}),
  };
}

/** A file in a folder with instructions of its own was read: they go to the model beside the result. */
export async function* loadNestedInstructions(
  turn: Turn,
  state: Pick<State, 'toolUseContext'>,
  triggerPath: string,
): AsyncGenerator<QueryEvent, readonly string[]> {
  const { files, problems } = await turn.deps.nestedInstructions.load(triggerPath);
  for (const problem of problems) yield turn.warn(problem);
  for (const file of files) {
    yield* runHooks(turn, {
      event: 'InstructionsLoaded',
      context: state.toolUseContext,
      input: () => instructionInput({ ...file, triggerPath }),
    });
  }
  return files.filter(({ content }) => content !== '').map(({ path, content }) => `Contents of ${path}:\n\n${content}`);
}
