import path from 'node:path';
import type { BaselineEntry } from '../../schemas/baseline.ts';
import type { SessionChecks } from '../../schemas/sessionChecks.ts';
import type { Waiver } from '../../schemas/waiver.ts';
import { wallNow } from '../../system/clock.ts';
import { endLeftovers, type Leftover } from '../../system/leftovers.ts';
import { MARKS } from '../../system/marks.ts';
import type { StopAnswer } from '../answer.ts';
import { CHECKS_INTERRUPTED, endingOfChecks, type GateEnding, skippedEnding } from '../ending.ts';
import {
  describeChanges,
  type FrozenGate,
  type GateChanges,
  protectedFailure,
  UNCHANGED,
} from '../frozen/frozenGate.ts';
import type { FactsOf } from '../receipts/rememberedFacts.ts';
import { type AcceptedFacts, judgeFailure, voidNotes } from './baseline.ts';
import { blockReason } from './blockReason.ts';
import { decideChecks } from './decideChecks.ts';
import { lockFolder } from './folderLock.ts';
import type { ChecksMemory } from './memory.ts';
import { alreadyKnown, type ChecksRun, type KnownFacts, runChecks, runInCopy, tooLate } from './runChecks.ts';
import {
  areComparable,
  type Check,
  type CheckedState,
  type CheckResult,
  type DefinitionOfDone,
  type FailedCheck,
} from './types.ts';
import {
  gaveUpNote,
  leftoversNote,
  lockNotes,
  notBlockingNotes,
  notRememberedNote,
  notRunNote,
  OTHERS_NOTE,
  roughFilesNote,
  strandedNote,
  waitingNote,
} from './words.ts';

export interface ChecksGate
  extends Omit<ChecksRun, 'checks' | 'onLeftovers' | Exclude<keyof KnownFacts, 'demand' | 'memory'>> {
  readonly done: DefinitionOfDone;
  readonly state: () => Promise<CheckedState>;
  readonly lockFile: string;
  /** Called with a sentence when it has to wait for another session's checks. */
  readonly onWait?: (sentence: string) => void;
  /** Whether the session has called a tool that can change files. */
  readonly activity?: () => Activity;
  /** The number of sessions that worked in the same folder meanwhile. */
  readonly otherSessions?: () => Promise<number>;
  /** What a person accepted in this session. */
  readonly waivers?: () => Promise<readonly Waiver[]>;
  /** What a person accepted in this folder. */
  readonly baseline?: () => Promise<readonly BaselineEntry[]>;
  /** The agent knows of progress that is not in its files. */
  readonly hasOtherProgress?: boolean;
  /** What the session began with; null when that is not known. */
  readonly frozen?: FrozenGate | null;
  /** For the record; called before the state of the files is read, when a check may have changed it. */
  readonly beginTreeFacts?: (startCommit: string | null, isNew: boolean) => FactsOf;
}

export type Activity = 'none' | 'some' | 'unknown';

/** The definition of done as a gate: gather (digest, memory, runs), decide, remember, answer. */
export async function askChecks(gate: ChecksGate): Promise<StopAnswer> {
  const facts = await gatherFacts(gate, NO_RUNS);
  const known = await Promise.all(gate.done.checks.map((check) => alreadyKnown(check, facts)));
  if (known.every((result) => result !== null)) return answer(gate, facts, { results: known, run: '', notes: [] });
  const lock = await lockFolder({
    ...gate,
    file: gate.lockFile,
    onWait: (holder) => gate.onWait?.(waitingNote(holder)),
  });
  if (gate.signal.aborted) {
    if (lock.type === 'held') await lock.release();
    return INTERRUPTED;
  }
  const notes = lockNotes(lock);
  if (lock.type === 'taken') {
    const results = gate.done.checks.map((check, index) => known[index] ?? tooLate(check, gate, STILL_LOCKED));
    return answer(gate, facts, { results, run: '', notes });
  }
  try {
    const waited = lock.type === 'held' && lock.waitedFor.size > 0;
    // the other session may have changed files or passed checks
    const now = waited ? await gatherFacts(gate, lock.waitedFor) : facts;
    return await runAndAnswer(gate, now, { run: lock.type === 'held' ? lock.token : '', notes });
  } finally {
    if (lock.type === 'held') await lock.release();
  }
}

const STILL_LOCKED = {
  what: 'was not run, because the checks of another session in this folder were still running',
  started: false,
};
const NO_RUNS: ReadonlySet<string> = new Set();

interface Facts extends KnownFacts {
  readonly session: SessionChecks;
  readonly state: CheckedState;
  readonly changes: GateChanges;
}

async function gatherFacts(gate: ChecksGate, waitedFor: ReadonlySet<string>): Promise<Facts> {
  const { memory, demand } = gate;
  const [state, session] = await Promise.all([gate.state(), memory.session()]);
  const changes = (await gate.frozen?.changes(state.tree)) ?? UNCHANGED;
  const { baseline, continues } = session;
  const isKnown = baseline !== null && areComparable(state.files, baseline);
  const isSame = state.files === baseline;
  // the transcript does not contain the session that it continues
  const didNothing = baseline !== null && !isSame && !continues && gate.activity?.() === 'none';
  const isUnchanged = isSame || (didNothing && !isKnown);
  const changedByOthers = didNothing && isKnown;
  // a pass of the frozen scripts says nothing about files that hold others
  const key = changes.scripts.length === 0 ? state.key : null;
  return { key, isUnchanged, demand, memory, changedByOthers, waitedFor, session, state, changes };
}

interface Run {
  /** The id of this run, for sessions that wait for it. */
  readonly run: string;
  readonly notes: readonly string[];
}

async function runAndAnswer(gate: ChecksGate, facts: Facts, { run, notes }: Run): Promise<StopAnswer> {
  // left by a session that was killed during its checks
  const stranded = await endLeftovers({ mark: MARKS.check, value: gate.mark, group: undefined, clock: gate.clock });
  const left = stranded.length > 0 ? [strandedNote(stranded)] : [];
  const onLeftovers = (check: Check, leftovers: readonly Leftover[]) => left.push(leftoversNote(check, leftovers));
  const { results, scripts } = await runFrozen({ ...gate, ...facts, checks: gate.done.checks, onLeftovers }, gate);
  if (gate.signal.aborted) return INTERRUPTED;
  const seen = { ...facts, key: scripts.length === 0 ? facts.key : null, changes: { ...facts.changes, scripts } };
  return answer(gate, seen, { results, run, notes: [...notes, ...left] });
}

/**
 * Runs the checks with the scripts that the session began with: in place while they are unchanged, else in a copy of the
 * project that has them. Scripts that change while the checks run make those results worthless, so they run again.
 */
async function runFrozen(
  run: ChecksRun,
  { frozen, done }: ChecksGate,
): Promise<{ readonly results: readonly CheckResult[]; readonly scripts: GateChanges['scripts'] }> {
  if (!frozen) return { results: await runChecks(run), scripts: [] };
  const before = frozen.scripts();
  const touched = frozen.watch();
  const inPlace = before.length === 0 ? await runChecks(run) : null;
  const scripts = inPlace === null ? before : [...frozen.scripts(), ...touched()];
  if (inPlace !== null && (scripts.length === 0 || run.signal.aborted)) return { results: inPlace, scripts: [] };
  try {
    await using scratch = await frozen.scratch();
    const results: CheckResult[] = [];
    for (const check of done.checks) {
      if (run.signal.aborted) break;
      results.push(await runInCopy(check, scratch, run));
    }
    return { results, scripts };
  } catch (error) {
    const how = `was not run: its script changed during this session, and a copy of the project with the earlier one could not be made (${(error as Error).message})`;
    return { results: done.checks.map((check) => ({ type: 'failed', check, how, output: '' })), scripts };
  }
}

async function answer(
  gate: ChecksGate,
  facts: Facts,
  { results: ofChecks, run, notes: more }: Run & { readonly results: readonly CheckResult[] },
): Promise<StopAnswer> {
  const { key, session, state, changes } = facts;
  const ran = ofChecks.some(({ type }) => type === 'passed' || type === 'failed');
  const factsOf = gate.beginTreeFacts?.(session.startCommit, ran);
  const after = ran ? await gate.state() : state;
  // another process takes the diff meanwhile
  const tree = factsOf?.(after);
  tree?.catch(() => {});
  const found = [...ofChecks, ...protectedFailure(changes, path.dirname(gate.done.file))];
  const accepted = { entries: (await gate.baseline?.()) ?? [], began: session.began, now: wallNow(gate.clock) };
  const waived = new Map((await gate.waivers?.())?.map(({ check, reason }) => [check, reason]));
  const results = found.map((result) => judged(result, accepted, waived));
  const decision = decideChecks({
    ...{ results, digest: state.files, digestAfter: after.files, session, limits: gate.done },
    hasOtherProgress: gate.hasOtherProgress === true,
  });
  const block =
    decision.type === 'block'
      ? blockReason(decision, results, {
          others: (await gate.otherSessions?.()) ?? 0,
          changed: [changes.config, describeChanges(changes)].filter((one) => one !== null),
        })
      : null;
  // when files changed during the checks, it is not known which state was checked
  const known = key !== null && key === after.key ? ofChecks : [];
  const next = { ...decision.session, ...(block && { sent: block.sent }) };
  const forgotten = await remember(gate.memory, { found: known, key: key ?? '', run, session: next });
  const notes = [
    ...stateNotes(facts),
    results.some(({ type }) => type === 'changedByOthers') ? OTHERS_NOTE : null,
    ...more,
    ...notBlockingNotes(results),
    ...voidNotes(results, accepted),
    notRunNote(results),
    forgotten,
  ].filter((note) => note !== null);
  const ending = { ...endingOfChecks(decision, results), ...changedBy(changes), ...obeyedBy(changes) };
  const stopped = { notes, ending, tree: await tree };
  if (block !== null) return { type: 'block', reason: block.reason, ...stopped };
  const gaveUp = decision.type === 'stalled' || decision.type === 'capped' ? [gaveUpNote(decision)] : [];
  return { type: 'pass', ...stopped, notes: [...notes, ...gaveUp] };
}

/** What a failure counts as: accepted by its baseline, waived for this session, advice, or a reason to block. */
export function judged(result: CheckResult, accepted: AcceptedFacts, waived: ReadonlyMap<string, string>): CheckResult {
  if (result.type !== 'failed') return result;
  const judgement = judgeFailure(result, accepted);
  if (judgement.type !== 'failed') return judgement;
  const { check, ran } = judgement;
  const reason = waived.get(check.name);
  if (reason !== undefined) return { type: 'waived', check, reason, ran };
  return check.severity === 'warn' ? { ...judgement, type: 'advised' } : judgement;
}

/** The definition of the session's start decided, whatever was changed meanwhile. */
function changedBy(changes: GateChanges): Pick<GateEnding, 'changed' | 'decidedBy'> {
  const what = describeChanges(changes);
  if (what === null && changes.config === null) return {};
  const words = what === null ? [] : [`changed during this session: ${what}`];
  return { changed: [changes.config, ...words].filter((one) => one !== null).join('; '), decidedBy: 'start' };
}

/** Not put back, since honest work changes it too; but a reader of the record must know. */
function obeyedBy({ obeyed }: GateChanges): Pick<GateEnding, 'obeyed'> {
  if (obeyed.length === 0) return {};
  return { obeyed: obeyed.map(({ what, how }) => `${what} ${how}`).join(', ') };
}

const INTERRUPTED: StopAnswer = {
  type: 'pass',
  notes: [`Stopgate: ${CHECKS_INTERRUPTED}.`],
  ending: skippedEnding('checksInterrupted'),
};

function stateNotes({ state, session: { baseline } }: Facts): readonly string[] {
  if (state.problem === null) return [];
  const isUnlike = baseline !== null && !areComparable(state.files, baseline);
  return [state.isRough ? roughFilesNote(state.problem, isUnlike) : notRememberedNote(state.problem)];
}

interface ToRemember {
  readonly found: readonly CheckResult[];
  readonly key: string;
  readonly run: string;
  readonly session: SessionChecks;
}

/** Returns a note when the results cannot be stored; they count anyway. */
async function remember(memory: ChecksMemory, { found, key, run, session }: ToRemember): Promise<string | null> {
  try {
    await memory.rememberPassed(passedOf(found), key);
    if (run !== '') await memory.rememberFailed(found.filter(isFailed), key, run);
    await memory.rememberSession(session);
    return null;
  } catch (error) {
    return `Stopgate: the results of the checks could not be stored (${(error as Error).message}), so they run again each time.`;
  }
}

const isFailed = (result: CheckResult): result is FailedCheck => result.type === 'failed';

const passedOf = (results: readonly CheckResult[]) =>
  results.flatMap((result) => (result.type === 'passed' ? [result.check] : []));
