import path from 'node:path';
import { findConfig } from '../../../stop/checks/findConfig.ts';
import { checkItems } from '../../../stop/checks/folderTrust.ts';
import { readConfigFile } from '../../../stop/checks/readConfig.ts';
import type { Check, DefinitionOfDone } from '../../../stop/checks/types.ts';
import { shellWord } from '../../../system/shellWords.ts';
import { type Approvable, plainItem } from './approvable.ts';

export interface CheckEffect {
  readonly name: string;
  /** As written: a shell command, or a list of words. */
  readonly command: string;
  readonly cwd: string;
  readonly file: string;
}

interface ConfigHere {
  readonly done: DefinitionOfDone | null;
  readonly problems: readonly string[];
}

/** The folder's own configuration: one in a parent folder needs the trust of that folder. */
export async function configHere(folder: string): Promise<ConfigHere> {
  const file = findConfig(folder);
  if (file === null) return { done: null, problems: [] };
  const above = path.dirname(file);
  if (above !== path.resolve(folder)) {
    const problem = `The checks of ${file} also apply here; they run when ${above} is trusted: \`stopgate trust ${shellWord(above)}\`.`;
    return { done: null, problems: [problem] };
  }
  const config = await readConfigFile(file);
  if (config.type === 'broken') return { done: null, problems: [config.message] };
  return { done: config.type === 'none' ? null : config.done, problems: [] };
}

export const checkEffect = (check: Check, file: string): CheckEffect => ({
  name: check.name,
  command: asWritten(check),
  cwd: check.cwd,
  file,
});

const asWritten = ({ file, args, commandText }: Check): string =>
  file === '/bin/sh' && args[0] === '-c' && args[1] === commandText ? commandText : JSON.stringify([file, ...args]);

export function approvableChecks(done: DefinitionOfDone): readonly Approvable[] {
  const { checks, protect, editable, stallAfter, maxBlocks } = done;
  const together = { checks: checks.map(({ name }) => name), protect, editable, stallAfter, maxBlocks };
  return checkItems(done).map((item, at) => {
    const check = checks[at];
    if (check === undefined) return plainItem(item, JSON.stringify(together, null, 2));
    return { item, shown: `${check.name}\n${asWritten(check)}`, isKept: true, starts: [check] };
  });
}
