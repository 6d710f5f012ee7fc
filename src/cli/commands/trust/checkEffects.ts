import path from 'node:path';
import { findConfig } from '../../../stop/checks/findConfig.ts';
import { checkItems } from '../../../stop/checks/folderTrust.ts';
import { readConfigFile } from '../../../stop/checks/readConfig.ts';
import type { Check, DefinitionOfDone } from '../../../stop/checks/types.ts';
import { formatSeconds } from '../../../system/formatDuration.ts';
import { shellWord } from '../../../system/shellWords.ts';
import { type Approvable, plainItem } from './approvable.ts';

type ShownFields = 'name' | 'cwd' | 'timeoutMs' | 'severity' | 'baseline' | 'when' | 'lines' | 'inputs' | 'report';

export interface CheckEffect extends Pick<Check, ShownFields> {
  /** As written: a shell command, or a list of words. */
  readonly command: string;
  /** Of the configuration. */
  readonly file: string;
}

/** What a configuration decides besides its checks. */
export type DefinitionEffect = Pick<DefinitionOfDone, 'protect' | 'editable' | 'stallAfter' | 'maxBlocks'> &
  Partial<Pick<DefinitionOfDone, 'judge'>>;

interface ConfigHere {
  readonly done: DefinitionOfDone | null;
  readonly problems: readonly string[];
  /** One sentence with the place, when it cannot be read: no person can judge what it would run. */
  readonly broken: string | null;
}

/** The folder's own configuration: one in a parent folder needs the trust of that folder. */
export async function configHere(folder: string): Promise<ConfigHere> {
  const file = findConfig(folder);
  if (file === null) return { done: null, problems: [], broken: null };
  const above = path.dirname(file);
  if (above !== path.resolve(folder)) {
    const problem = `The checks of ${file} also apply here; they run when ${above} is trusted: \`stopgate trust ${shellWord(above)}\`.`;
    return { done: null, problems: [problem], broken: null };
  }
  const config = await readConfigFile(file);
  if (config.type === 'broken') return { done: null, problems: [config.message], broken: notTrustable(config.message) };
  return { done: config.type === 'none' ? null : config.done, problems: [], broken: null };
}

const notTrustable = (message: string) =>
  message.replace(/; no check was run\.$/, '; nothing was trusted: correct it and run the command again.');

export const checkEffect = (check: Check, file: string): CheckEffect => {
  const { name, cwd, timeoutMs, severity, baseline, when, lines, inputs, report } = check;
  const others = { timeoutMs, severity, baseline, when, lines, inputs, report };
  return { name, command: asWritten(check), cwd, file, ...others };
};

export function definitionEffect(done: DefinitionOfDone): DefinitionEffect {
  const { protect, editable, stallAfter, maxBlocks, judge } = done;
  return { protect, editable, stallAfter, maxBlocks, ...(judge && { judge }) };
}

const SEVERITIES: Readonly<Record<Check['severity'], string>> = {
  block: 'blocks a stop (severity block)',
  warn: 'only advises (severity warn)',
};

/** All of a check that counts, besides its name and command. */
export function checkFacts(check: CheckEffect): readonly string[] {
  const { file, cwd, timeoutMs, severity, baseline, when, lines, inputs, report } = check;
  const inside = (one: string) => path.relative(path.dirname(file), one);
  return [
    `runs in ${inside(cwd) || 'this folder'}`,
    `at most ${formatSeconds(timeoutMs)}`,
    SEVERITIES[severity],
    baseline === null ? 'no baseline of its own' : 'accepts what fails when a session begins (baseline session)',
    ...(when === 'default' ? [] : [`when: ${when}`]),
    `sends at most ${lines} line${lines === 1 ? '' : 's'} of a failure`,
    ...(inputs.length === 0 ? [] : [`also depends on ${inputs.map(inside).join(', ')}`]),
    ...(report === null ? [] : [`reads a ${report.format} report from ${report.path ?? 'what it prints'}`]),
  ];
}

const asWritten = ({ file, args, commandText }: Check): string =>
  file === '/bin/sh' && args[0] === '-c' && args[1] === commandText ? commandText : JSON.stringify([file, ...args]);

export function approvableChecks(done: DefinitionOfDone): readonly Approvable[] {
  const { checks, file } = done;
  const together = { checks: checks.map(({ name }) => name), ...definitionEffect(done) };
  return checkItems(done).map((item, at) => {
    const check = checks[at];
    if (check === undefined) return plainItem(item, JSON.stringify(together, null, 2));
    return { item, shown: shownCheck(checkEffect(check, file)), isKept: true, starts: [check] };
  });
}

const shownCheck = (check: CheckEffect) => `${check.name}\n${check.command}\n${checkFacts(check).join(' · ')}`;
