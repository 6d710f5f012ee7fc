import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** In single quotes, where nothing means anything but the closing quote. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * A command that tells, however it exits, in which directory it ended. `eval` keeps a syntax error of the command from
 * taking the trap with it; a command that sets its own EXIT trap is simply not followed.
 */
export function scriptThatTellsDirectory(command: string, directoryFile: string): string {
  const tell = `pwd -P >| ${quoteForShell(directoryFile)} 2>/dev/null`;
  return `trap ${quoteForShell(tell)} EXIT; eval ${quoteForShell(command)}`;
}

export interface Shell {
  readonly file: string;
  /** Said to the model when bash is not there, since bash is what it writes for. */
  readonly note?: string;
}

export function findShell(env: Readonly<Record<string, string>>, exists = existsSync): Shell {
  const folders = [...(env.PATH ?? '').split(delimiter).filter(Boolean), '/bin', '/usr/bin', '/usr/local/bin'];
  const bash = folders.map((folder) => join(folder, 'bash')).find((file) => exists(file));
  return bash ? { file: bash } : { file: '/bin/sh', note: 'There is no bash here: the command ran in /bin/sh.' };
}
