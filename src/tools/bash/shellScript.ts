import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** In single quotes, where nothing means anything but the closing quote. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * A command that tells, however it exits, in which directory it ended. `eval` keeps a syntax error of the command from
 * taking the trap with it; a command that sets its own EXIT trap is simply not followed.
 */
export function scriptThatTellsDirectory(command: string, directoryFile: string, envFile?: string): string {
  // a command that was moved to the background outlives the file
  const tell = `{ pwd -P >| ${quoteForShell(directoryFile)}; } 2>/dev/null`;
  return `${IN_ORDER}trap ${quoteForShell(tell)} EXIT; ${sourcing(envFile)}eval ${quoteForShell(command)}`;
}

/** Both streams in one pipe: read from two, what was written in turns could not be put in order again. */
export const IN_ORDER = 'exec 2>&1; ';

/** Reads the variables that hooks left for commands, if they left any. */
export function sourcing(envFile: string | undefined): string {
  if (envFile === undefined) return '';
  const file = quoteForShell(envFile);
  return `if [ -f ${file} ]; then . ${file}; fi; `;
}

export interface Shell {
  readonly file: string;
  /** What stands before the command. */
  readonly args: readonly string[];
  /** Said to the model when bash is not there, since bash is what it writes for. */
  readonly note?: string;
}

export function findShell(env: Readonly<Record<string, string>>, exists = existsSync): Shell {
  // a relative entry would let a repository bring its own bash
  const folders = [...(env.PATH ?? '').split(delimiter).filter(isAbsolute), '/bin', '/usr/bin', '/usr/local/bin'];
  const bash = folders.map((folder) => join(folder, 'bash')).find((file) => exists(file));
  // Without `--norc` bash reads ~/.bashrc when it takes its stdin for a network connection, as it does Node's pipes.
  if (bash) return { file: bash, args: ['--norc', '-c'] };
  return { file: '/bin/sh', args: ['-c'], note: 'There is no bash here: the command ran in /bin/sh.' };
}
