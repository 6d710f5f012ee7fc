/** One file of instructions for the agent, read and ready. */
export interface InstructionFile {
  readonly path: string;
  readonly memoryType: 'User' | 'Project' | 'Local';
  readonly content: string;
  /** As the InstructionsLoaded hook names it. */
  readonly loadReason: 'session_start' | 'include' | 'nested_traversal' | 'path_glob_match';
  /** The patterns of a rule that holds for some paths only. */
  readonly globs?: readonly string[];
  /** The file that imported this one. */
  readonly parentPath?: string;
}

/** A file of `.claude/rules` that holds for some paths only. */
export interface PathRule {
  readonly file: InstructionFile;
  /** The folder that its patterns start from. */
  readonly root: string;
  readonly globs: readonly string[];
}

export interface LoadedInstructions {
  /** In the order the model reads them: the person's first, then from the outermost folder inwards. */
  readonly files: readonly InstructionFile[];
  /** Rules for some paths only; the model reads them when such a file is read. */
  readonly rules?: readonly PathRule[];
  /** Sentences about what was refused, missing or cut. */
  readonly problems: readonly string[];
}

const OWNERS: Readonly<Record<InstructionFile['memoryType'], string>> = {
  User: 'the user, for all projects',
  Project: 'the project, shared by everyone who works on it',
  Local: 'the user, for this project only',
};

/** The files as one text for the model; empty when there are none. */
export function instructionsText(files: readonly InstructionFile[]): string {
  const shown = files.filter(({ content }) => content !== '');
  if (shown.length === 0) return '';
  const opening =
    'The user and the project keep standing instructions in files. Follow them as you would the user’s own words; ' +
    'where two disagree, the later one is closer to this work and wins, and what the user says in the conversation ' +
    'comes before all of them.';
  return [opening, ...shown.map(section)].join('\n\n');
}

function section({ path, memoryType, content, parentPath }: InstructionFile): string {
  const from = parentPath === undefined ? '' : `, imported by ${parentPath}`;
  return `## ${path} (from ${OWNERS[memoryType]}${from})\n\n${content}`;
}
