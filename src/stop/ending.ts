import type { CheckRun, GateEndingType } from '../schemas/gateDecision.ts';
import type { Leftover } from '../system/leftovers.ts';
import type { ChecksDecision } from './checks/decideChecks.ts';
import type { CheckResult } from './checks/types.ts';
import { NEVER_BLOCK_WORDS, type NeverBlockCode } from './exemptions.ts';

export type SkipCode =
  | Exclude<NeverBlockCode, 'switchedOff'>
  | 'nothingChanged'
  | 'changedByOthers'
  | 'notTrusted'
  | 'changedSinceTrusted'
  | 'checksInterrupted';

interface CheckOutcome {
  readonly name: string;
  readonly outcome: CheckResult['type'];
  /** For `outOfTime` only: started but not finished. */
  readonly started?: boolean;
  /** For `waived` only: the person's reason. */
  readonly waived?: string;
  /** For `accepted` only: `3 failing tests, accepted 4d ago: legacy suite`. */
  readonly accepted?: string;
  /** For one that ran at this stop. */
  readonly ran?: CheckRun;
}

/** Plain data: it is written to the ledger and printed in reports. */
export interface GateEnding {
  readonly type: GateEndingType;
  /** For `skipped` only. */
  readonly why?: SkipCode;
  /** The same in words: `skipped (nothing changed)`. */
  readonly reason: string;
  readonly checks: readonly CheckOutcome[];
  /** The names of checks that were armed at the start and disarmed during the session. */
  readonly armedAtStart?: readonly string[];
  /** How the checks differ from those at the start, if they do. */
  readonly changed?: string;
  /** Configuration that the checks obey and that changed during the session: its present state decided. */
  readonly obeyed?: string;
  /** `start`: those from the start ran. Without it a pass of changed checks proves nothing. */
  readonly decidedBy?: 'start';
  /** For `left_running` only. */
  readonly left?: readonly Leftover[];
}

export function endingOfChecks(decision: ChecksDecision, results: readonly CheckResult[]): GateEnding {
  const checks = results.map(outcomeOf);
  const type = decision.type === 'pass' ? typeOfPass(results) : ENDING_OF[decision.type];
  if (type === 'skipped') return { ...skippedEnding(whyUnchanged(results)), checks };
  return { type, reason: PASS_WORDS[type](checks, decision), checks };
}

function outcomeOf(result: CheckResult): CheckOutcome {
  const ran = 'ran' in result && result.ran ? { ran: result.ran } : {};
  const plain = { name: result.check.name, outcome: result.type, ...ran };
  if (result.type === 'waived') return { ...plain, waived: result.reason };
  if (result.type === 'accepted') return { ...plain, accepted: result.words };
  return result.type === 'outOfTime' ? { ...plain, started: result.started } : plain;
}

const ENDING_OF = { block: 'blocked', stalled: 'stalled', capped: 'capped' } as const;

/** What proves least decides; a check that did not run proves nothing. */
const WEAKEST_FIRST = ['outOfTime', 'waived', 'accepted', 'advised'] as const;

function typeOfPass(results: readonly CheckResult[]): 'passed' | 'skipped' | (typeof WEAKEST_FIRST)[number] {
  const weakest = WEAKEST_FIRST.find((wanted) => results.some(({ type }) => type === wanted));
  return weakest ?? (results.every(({ type }) => isUnchanged(type)) ? 'skipped' : 'passed');
}

const isUnchanged = (type: CheckResult['type']) => type === 'nothingChanged' || type === 'changedByOthers';

const whyUnchanged = (results: readonly CheckResult[]) =>
  results.some(({ type }) => type === 'changedByOthers') ? 'changedByOthers' : 'nothingChanged';

type Worded = 'passed' | 'advised' | 'accepted' | 'waived' | 'blocked' | 'stalled' | 'capped' | 'outOfTime';

const PASS_WORDS: Readonly<Record<Worded, (checks: readonly CheckOutcome[], decision: ChecksDecision) => string>> = {
  passed: (checks) => `passed (${namesOf(checks, 'passed', 'remembered')})${notRunWords(checks)}`,
  advised: (checks) => `advised (${namesOf(checks, 'advised')})${besideWords(checks, ['passed'])}`,
  accepted: (checks) => `accepted (${acceptedWords(checks)})${besideWords(checks, ['advised', 'passed'])}`,
  waived: (checks) => {
    const waived = checks.flatMap(({ name, waived: reason }) => (reason === undefined ? [] : [`${name}: ${reason}`]));
    return `waived (${waived.join('; ')})${besideWords(checks, ['accepted', 'advised', 'passed'])}`;
  },
  blocked: (checks) => `failed (${namesOf(checks, 'failed')})`,
  stalled: (checks, { session }) =>
    `stalled (still failing: ${namesOf(checks, 'failed')}; no file changed in the last ${session.unchanged + 1} stops)`,
  capped: (checks, { session }) =>
    `capped (still failing: ${namesOf(checks, 'failed')}; the agent was sent back ${session.blocks} times)`,
  outOfTime: (checks) => `out of time (${lateWords(checks)})`,
};

type Beside = 'accepted' | 'advised' | 'passed';

/** What else happened, after the word that decides. */
function besideWords(checks: readonly CheckOutcome[], wanted: readonly Beside[]): string {
  const parts = wanted.map((outcome) => {
    const words = BESIDE[outcome](checks);
    return words && `; ${outcome}: ${words}`;
  });
  return `${parts.join('')}${notRunWords(checks)}`;
}

const BESIDE: Readonly<Record<Beside, (checks: readonly CheckOutcome[]) => string>> = {
  accepted: (checks) => acceptedWords(checks),
  advised: (checks) => namesOf(checks, 'advised'),
  passed: (checks) => namesOf(checks, 'passed', 'remembered'),
};

const acceptedWords = (checks: readonly CheckOutcome[]) =>
  checks.flatMap(({ name, accepted }) => (accepted === undefined ? [] : [`${name}: ${accepted}`])).join('; ');

function lateWords(checks: readonly CheckOutcome[]): string {
  const late = (wanted: boolean) =>
    namesOf(
      checks.filter(({ started }) => started === wanted),
      'outOfTime',
    );
  const parts = [late(true) && `not finished: ${late(true)}`, late(false) && `not run: ${late(false)}`];
  return parts.filter((part) => part !== '').join('; ');
}

function notRunWords(checks: readonly CheckOutcome[]): string {
  const [unchanged, others] = [namesOf(checks, 'nothingChanged'), namesOf(checks, 'changedByOthers')];
  const parts = [
    unchanged && `; skipped, because nothing changed: ${unchanged}`,
    others && `; skipped, because another session or a person changed the files: ${others}`,
  ];
  return parts.join('');
}

const namesOf = (checks: readonly CheckOutcome[], ...outcomes: readonly CheckOutcome['outcome'][]) =>
  checks
    .filter(({ outcome }) => outcomes.includes(outcome))
    .map(({ name }) => name)
    .join(', ');

export const CHECKS_INTERRUPTED = 'the checks were interrupted';

/** For a stop that no gate may block. */
export const neverBlockEnding = (code: NeverBlockCode): GateEnding =>
  code === 'switchedOff' ? notArmedEnding(NEVER_BLOCK_WORDS.switchedOff) : skippedEnding(code);

export function skippedEnding(why: SkipCode): GateEnding {
  return { type: 'skipped', why, reason: `skipped (${SKIP_WORDS[why]})`, checks: [] };
}

const SKIP_WORDS: Readonly<Record<SkipCode, string>> = {
  ...NEVER_BLOCK_WORDS,
  nothingChanged: 'nothing changed',
  changedByOthers: 'another session or a person changed the files, not this session',
  notTrusted: 'the folder is not trusted',
  changedSinceTrusted: 'they changed since you trusted them',
  checksInterrupted: CHECKS_INTERRUPTED,
};

/** The reason completes "checks: not armed (…)". */
export const notArmedEnding = (reason: string): GateEnding => ({
  type: 'notArmed',
  reason: `not armed (${reason})`,
  checks: [],
});

export const errorEnding = (message: string): GateEnding => ({
  type: 'error',
  reason: `error (${message.replace(/\.$/, '')})`,
  checks: [],
});

/** For a session that began with checks. */
export const LOST =
  'the record of what this session began with is missing or was changed by hand; an update of Stopgate can also cause this, then start a new session';

export const NOT_ASKED: GateEnding = {
  type: 'notAsked',
  reason: 'not asked (the agent ended without calling its stop hook)',
  checks: [],
};

/** Skips that a person chose: no proof was wanted. */
const CHOSEN: ReadonlySet<SkipCode> = new Set(['planning', 'insideCheck', 'nothingChanged', 'changedByOthers']);

/** By a pass, or by a person's decision about what fails. */
const SETTLED: ReadonlySet<GateEndingType> = new Set(['passed', 'advised', 'accepted', 'waived']);

export const isSettled = ({ type }: GateEnding): boolean => SETTLED.has(type);

/** Whether checks that were armed gave no proof. */
export function gaveUp({ type, why, armedAtStart, changed, decidedBy }: GateEnding): boolean {
  if (SETTLED.has(type)) return false;
  if (armedAtStart !== undefined) return true;
  if (why !== undefined && CHOSEN.has(why)) return changed !== undefined && decidedBy === undefined;
  return type !== 'notArmed';
}

/**
 * Whether everything that has to pass did. Advice does not count; accepted failures are no pass. Checks that the agent edited
 * prove only what it wanted checked.
 */
export function isProof({ type, checks, changed, decidedBy }: GateEnding): boolean {
  const hasPassed = type === 'passed' || (type === 'advised' && namesOf(checks, 'passed', 'remembered') !== '');
  return hasPassed && (changed === undefined || decidedBy === 'start');
}

/** The agent exited with 0, but its checks did not pass. The same for `-p` and `launch`; below `timeout`'s codes. */
export const NOT_PROVEN_EXIT = 123;

/** A run that cannot pass is announced before it costs anything. The line before it has the cause of an error. */
export function unprovable({ type, reason }: GateEnding): string {
  const why = type === 'error' ? 'the checks cannot run' : `checks are ${reason}`;
  return `--require-proof: ${why}, so this run will exit with ${NOT_PROVEN_EXIT}.`;
}
