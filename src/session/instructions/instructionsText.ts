import type { InstructionFile } from './types.ts';

const WHOSE: Readonly<Record<InstructionFile['memoryType'], string>> = {
  User: 'the user, for all projects',
  Project: 'the project, shared by everyone who works on it',
  Local: 'the user, for this project only',
};

/** The files as one text for the model; empty when there are none. */
export function instructionsText(files: readonly InstructionFile[]): string {
  const told = files.filter(({ content }) => content !== '');
  if (told.length === 0) return '';
  const opening =
    'The user and the project keep standing instructions in files. Follow them as you would the user’s own words; ' +
    'where two disagree, the later one is closer to this work and wins, and what the user says in the conversation ' +
    'comes before all of them.';
  return [opening, ...told.map(section)].join('\n\n');
}

function section({ path, memoryType, content, parentPath }: InstructionFile): string {
  const from = parentPath === undefined ? '' : `, imported by ${parentPath}`;
  return `## ${path} (from ${WHOSE[memoryType]}${from})\n\n${content}`;
}
