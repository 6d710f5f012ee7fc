import type { FoundCommand } from './findCommands.ts';
import type { ShellWord } from './shellTypes.ts';

/** Measured: the commands that acceptEdits accepts besides Edit and Write. */
const CHANGES_FILES: ReadonlySet<string> = new Set(['mkdir', 'touch', 'rm', 'rmdir', 'mv', 'cp']);

/** A plain substitution: no flag that writes to another file (`w`) or runs what it made (`e`). */
const SUBSTITUTION = /^s([^\w\s\\])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gpiI0-9]*$/s;

/** Whether a command only changes files that its own words name. Wildcards and variables are not names. */
export function isEditCommand({ part }: FoundCommand): boolean {
  const [head, ...words] = part.words;
  if (head === undefined || part.assignments.length > 0 || part.inputs.length > 0) return false;
  if (words.length === 0 || words.some(({ expands, globs }) => expands || globs)) return false;
  if (head.text === 'sed') return isPlainSed(words);
  return CHANGES_FILES.has(head.text);
}

function isPlainSed([inPlace, script, ...files]: readonly ShellWord[]): boolean {
  return (
    inPlace?.text === '-i' &&
    script !== undefined &&
    SUBSTITUTION.test(script.text) &&
    files.length > 0 &&
    !files.some(({ text }) => text.startsWith('-'))
  );
}
