import { hash } from 'node:crypto';
import type { ReadConfig } from './checks/readConfig.ts';
import type { DefinitionOfDone } from './checks/types.ts';
import type { GateEnding, SkipCode } from './ending.ts';

/** One check of a configuration. */
export interface ConfiguredCheck {
  readonly name: string;
  /** A hash of everything that decides what runs and when. */
  readonly runs: string;
}

/** The checks of a session when it began. */
export interface ArmedStart {
  /** The configuration; null without one. */
  readonly file: string | null;
  /** The names of the armed checks. */
  readonly checks: readonly string[];
  /** All checks of the configuration, armed or not. */
  readonly configured: readonly ConfiguredCheck[];
}

export function configuredChecks(config: ReadConfig): readonly ConfiguredCheck[] {
  if (config.type !== 'config') return [];
  const { checks, protect, editable, judge } = config.done;
  const ofChecks = checks.map(({ name, file, args, cwd, timeoutMs, when, inputs, severity, baseline, report }) => {
    return { name, runs: hashOf([file, args, cwd, timeoutMs, when, inputs, severity, baseline, report]) };
  });
  const ofFiles = protect.length === 0 ? [] : [{ name: PROTECTED, runs: hashOf(protect) }];
  const ofOthers = [
    ...(editable.length === 0 ? [] : [{ name: 'editable', runs: hashOf(editable) }]),
    ...(judge === null ? [] : [{ name: 'judge', runs: hashOf(judge) }]),
  ];
  return [...ofChecks, ...ofFiles, ...ofOthers];
}

const hashOf = (value: unknown) => hash('sha256', JSON.stringify(value)).slice(0, 16);

/** The name of the check that protected files are as they were. */
export const PROTECTED = 'protected files';

/** Everything that has to hold at a stop, by name. */
export const armedNames = ({ checks, protect }: DefinitionOfDone): readonly string[] => [
  ...checks.map(({ name }) => name),
  ...(protect.length === 0 ? [] : [PROTECTED]),
];

export interface SinceStart {
  readonly start: ArmedStart;
  /** The configuration as it is now. */
  readonly now: ReadConfig;
  /** Whether a person chose plan mode; otherwise the agent entered it and left its checks behind. */
  readonly mayPlan: boolean;
}

/**
 * How the gate ended, compared with the start of the session: an agent can edit the configuration, switch Stopgate off or
 * revoke trust, and none of that may look like a project without checks.
 */
export function endingSinceStart(ending: GateEnding, { start, now, mayPlan }: SinceStart): GateEnding {
  const isDisarmed = start.checks.length > 0 && isDisarming(ending, mayPlan);
  const armedAtStart = ending.armedAtStart ?? (isDisarmed ? start.checks : undefined);
  const changed = ending.changed ?? changesSince(start, now) ?? undefined;
  const isNew = changed !== undefined && !ending.reason.includes(changed);
  const parts = [
    ending.reason,
    ...(ending.armedAtStart === undefined && armedAtStart ? [`armed at the start: ${armedAtStart.join(', ')}`] : []),
    ...(isNew ? [changed] : []),
    ...(isNew && ending.decidedBy === 'start' ? ['those from its start decided'] : []),
    ...(ending.obeyed === undefined ? [] : [`changed during this session, and obeyed by the checks: ${ending.obeyed}`]),
  ];
  return {
    ...ending,
    reason: parts.join('; '),
    ...(armedAtStart && { armedAtStart }),
    ...(changed !== undefined && { changed }),
  };
}

const DISARMING_SKIPS: ReadonlySet<SkipCode> = new Set(['notTrusted', 'changedSinceTrusted', 'insideCheck']);

function isDisarming({ type, why }: GateEnding, mayPlan: boolean): boolean {
  if (type === 'notArmed' || type === 'error') return true;
  if (why === 'planning') return !mayPlan;
  return why !== undefined && DISARMING_SKIPS.has(why);
}

/** For reports; null when the checks are the same. */
export function changesSince(
  { file, configured }: Pick<ArmedStart, 'file' | 'configured'>,
  now: ReadConfig,
): string | null {
  if (now.type === 'broken') {
    return file === null || configured.length === 0 ? null : describeChange('the file is broken now');
  }
  const after = configuredChecks(now);
  const runsOf = (checks: readonly ConfiguredCheck[], name: string) =>
    checks.flatMap((check) => (check.name === name ? [check.runs] : [])).join(' ');
  const names = [...new Set([...configured, ...after].map(({ name }) => name))];
  const kinds = names.map((name) => kindOfChange(runsOf(configured, name), runsOf(after, name)));
  const parts = (['removed', 'added', 'edited'] as const).flatMap((kind) => {
    const list = names.filter((_name, index) => kinds[index] === kind);
    return list.length === 0 ? [] : [`${kind}: ${list.join(', ')}`];
  });
  return parts.length === 0 ? null : describeChange(parts.join('; '));
}

function kindOfChange(before: string, after: string): 'removed' | 'added' | 'edited' | null {
  if (before === after) return null;
  if (after === '') return 'removed';
  return before === '' ? 'added' : 'edited';
}

const describeChange = (what: string) => `the checks changed during this session (${what})`;
