import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * A command that writes its final directory to a file when it exits. `eval` keeps the trap after a syntax error; a
 * command with its own EXIT trap is not followed.
 */
export function scriptWithDirectory(command: string, directoryFile: string, envFile?: string): string {
  // a command that was moved to the background outlives the file
  const onExit = `{ pwd -P >| ${quoteForShell(directoryFile)}; } 2>/dev/null`;
  return `${IN_ORDER}trap ${quoteForShell(onExit)} EXIT; ${sourcing(envFile)}eval ${quoteForShell(command)}`;
}

/** Both streams in one pipe, to keep their order. */
export const IN_ORDER = 'exec 2>&1; ';

/** Sources the variables that hooks wrote for commands. */
export function sourcing(envFile: string | undefined): string {
  if (envFile === undefined) return '';
  const file = quoteForShell(envFile);
  return `if [ -f ${file} ]; then . ${file}; fi; `;
}

export interface Shell {
  readonly file: string;
  /** The arguments before the command. */
  readonly args: readonly string[];
  /** For the model, which expects bash, when bash is missing. */
  readonly note?: string;
}

let latest: { readonly searchPath: string; readonly bash: string } | undefined;

export function findShell({ PATH: searchPath = '' }: Readonly<Record<string, string>>, exists = existsSync): Shell {
  // a relative entry could run a repository's own bash
  const folders = [...searchPath.split(delimiter).filter(isAbsolute), '/bin', '/usr/bin', '/usr/local/bin'];
  // the one of the last command, while it is there: a search in ten folders takes a tenth of what starting it does
  const isKnown = latest?.searchPath === searchPath && exists(latest.bash);
  const bash = isKnown ? latest?.bash : folders.map((folder) => join(folder, 'bash')).find((file) => exists(file));
  latest = bash === undefined ? undefined : { searchPath, bash };
  // Without `--norc` bash reads ~/.bashrc when it takes its stdin for a network connection, as it does Node's pipes.
  if (bash) return { file: bash, args: ['--norc', '-c'] };
  return { file: '/bin/sh', args: ['-c'], note: 'bash is not installed: the command ran in /bin/sh.' };
}
