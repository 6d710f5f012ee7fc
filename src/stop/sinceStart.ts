import { createHash } from 'node:crypto';
import type { ReadConfig } from './checks/readConfig.ts';
import type { GateEnding, SkipCode } from './gateEnding.ts';

/** One check as the configuration says it: two that run the same are equal. */
export interface SaidCheck {
  readonly name: string;
  /** A hash of everything that decides what runs and when. */
  readonly runs: string;
}

/** What stood between a session and its stop when the session began. */
export interface ArmedStart {
  /** The configuration; null without one. */
  readonly file: string | null;
  /** The names of the armed checks; none when nothing was armed. */
  readonly checks: readonly string[];
  /** What the configuration said, armed or not. */
  readonly said: readonly SaidCheck[];
}

export function saidChecks(config: ReadConfig): readonly SaidCheck[] {
  if (config.type !== 'config') return [];
  return config.done.checks.map(({ name, file, args, cwd, timeoutMs, when, inputs }) => {
    const text = JSON.stringify([file, args, cwd, timeoutMs, when, inputs]);
    return { name, runs: createHash('sha256').update(text).digest('hex').slice(0, 16) };
  });
}

export interface SinceStart {
  readonly start: ArmedStart;
  /** The configuration as it is now. */
  readonly now: ReadConfig;
  /** Whether a person chose plan mode: otherwise the agent entered it by itself, and left its checks behind. */
  readonly mayPlan: boolean;
}

/**
 * How the gate ended, seen from the start of the session: an agent can edit the configuration, switch Stopgate off or revoke
 * trust, and none of that may look like a project without checks.
 */
export function endingSinceStart(ending: GateEnding, { start, now, mayPlan }: SinceStart): GateEnding {
  const isDisarmed = start.checks.length > 0 && isDisarming(ending, mayPlan);
  const armedAtStart = ending.armedAtStart ?? (isDisarmed ? start.checks : undefined);
  const changed = ending.changed ?? changesSince(start, now) ?? undefined;
  const words = [
    ending.reason,
    ...(ending.armedAtStart === undefined && armedAtStart ? [`armed at the start: ${armedAtStart.join(', ')}`] : []),
    ...(ending.changed === undefined && changed !== undefined ? [changed] : []),
  ];
  return {
    ...ending,
    reason: words.join('; '),
    ...(armedAtStart && { armedAtStart }),
    ...(changed !== undefined && { changed }),
  };
}

const DISARMING_SKIPS: ReadonlySet<SkipCode> = new Set(['notTrusted', 'insideCheck']);

function isDisarming({ type, why }: GateEnding, mayPlan: boolean): boolean {
  if (type === 'notArmed' || type === 'error') return true;
  if (why === 'planning') return !mayPlan;
  return why !== undefined && DISARMING_SKIPS.has(why);
}

/** In words, for reports; null when the checks are what they were. */
export function changesSince({ file, said }: Pick<ArmedStart, 'file' | 'said'>, now: ReadConfig): string | null {
  if (now.type === 'broken') return file === null || said.length === 0 ? null : inWords('the file is broken now');
  const after = saidChecks(now);
  const runsOf = (checks: readonly SaidCheck[], name: string) =>
    checks.flatMap((check) => (check.name === name ? [check.runs] : [])).join(' ');
  const names = [...new Set([...said, ...after].map(({ name }) => name))];
  const kinds = names.map((name) => kindOfChange(runsOf(said, name), runsOf(after, name)));
  const parts = (['removed', 'added', 'edited'] as const).flatMap((kind) => {
    const list = names.filter((_name, index) => kinds[index] === kind);
    return list.length === 0 ? [] : [`${kind}: ${list.join(', ')}`];
  });
  return parts.length === 0 ? null : inWords(parts.join('; '));
}

function kindOfChange(before: string, after: string): 'removed' | 'added' | 'edited' | null {
  if (before === after) return null;
  if (after === '') return 'removed';
  return before === '' ? 'added' : 'edited';
}

const inWords = (what: string) => `the checks changed during this session (${what})`;
