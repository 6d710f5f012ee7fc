import type { PathRule } from './pathRules.ts';

/** One file of instructions for the agent, read and ready. */
export interface InstructionFile {
  readonly path: string;
  readonly memoryType: 'User' | 'Project' | 'Local';
  readonly content: string;
  /** As the InstructionsLoaded hook names it. */
  readonly loadReason: 'session_start' | 'include' | 'nested_traversal' | 'path_glob_match';
  /** The file that imported this one. */
  readonly parentPath?: string;
}

export interface LoadedInstructions {
  /** In the order they are told to the model: the person's first, then from the outermost folder inwards. */
  readonly files: readonly InstructionFile[];
  /** Rules for some paths only: told when a file that they hold for is read. */
  readonly rules?: readonly PathRule[];
  /** Sentences about what was refused, missing or cut. */
  readonly problems: readonly string[];
}
