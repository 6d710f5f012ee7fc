import type { HookFields } from '../../hooks/executeEvents.ts';
import type { InstructionFacts } from '../submitPrompt.ts';

/** What InstructionsLoaded hooks are given of one file. */
export function instructionInput(file: InstructionFacts): HookFields<'InstructionsLoaded'> {
  return {
    file_path: file.path,
    memory_type: file.memoryType,
    load_reason: file.loadReason,
    ...(file.parentPath ? { parent_file_path: file.parentPath } : {}),
    ...(file.triggerPath ? { trigger_file_path: file.triggerPath } : {}),
  };
}
