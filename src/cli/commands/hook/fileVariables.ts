import path from 'node:path';
import { callerOf } from '../../../hosts/all.ts';
import { readTextFileSync } from '../../../system/readTextFile.ts';

/** Variables that decide whether and with what the gates run. Those of the clock are the launch's own, which no file replaces. */
const DECIDING = /^STOPGATE_(?!BUDGET_|GRACE_END|LAST_STRETCH|BOOTED_AT|ACTIVITY_FILE|FAILURE_FILE|LAUNCH)\w+$/;
const NAMED = /^\s*(?:export\s+)?(STOPGATE_\w+)\s*[=:]/gm;
const LARGEST_BYTES = 1_000_000;

/**
 * Some hosts load `.env` files of the project into the environment of their hooks. What such a file names is dropped, whatever its value
 * is now: a repository could trust itself, switch the gate off, or move Stopgate's home. Returns a sentence per file.
 */
export function dropFileVariables(
  argv: readonly string[],
  cwd: string,
  env: Record<string, string | undefined>,
): readonly string[] {
  const { environmentFiles = [] } = callerOf({}, undefined, argv);
  return foldersUp(cwd, env.HOME).flatMap((folder) =>
    environmentFiles.flatMap((name) => {
      const file = path.join(folder, name);
      const read = readTextFileSync(file, LARGEST_BYTES);
      const names = read.type === 'read' ? [...read.text.matchAll(NAMED)].map(([, one = '']) => one) : [];
      const dropped = [...new Set(names)].filter((one) => DECIDING.test(one) && env[one] !== undefined);
      for (const one of dropped) delete env[one];
      return dropped.length === 0
        ? []
        : [`Stopgate: ${file} cannot set ${dropped.join(', ')}; set it in your own environment.`];
    }),
  );
}

/** From a folder to the root, without the user's own home. */
function foldersUp(from: string, home: string | undefined): readonly string[] {
  const above = path.dirname(from);
  const rest = above === from ? [] : foldersUp(above, home);
  return from === home ? rest : [from, ...rest];
}
