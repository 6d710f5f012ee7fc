import type { CheckRun } from '../../schemas/gateDecision.ts';
import { type Clock, wallNow } from '../../system/clock.ts';
import { formatDuration, formatSeconds } from '../../system/formatDuration.ts';
import { endLeftovers, type Leftover } from '../../system/leftovers.ts';
import { MARKS } from '../../system/marks.ts';
import type { ProcessEnd, ProcessRunner } from '../../system/processes.ts';
import { INSIDE_CHECK } from '../exemptions.ts';
import type { FrozenPlace } from '../frozen/frozenFiles.ts';
import { type Demand, runsUnchanged } from './demand.ts';
import { type Found, failureSet } from './failureSet.ts';
import type { ChecksMemory } from './memory.ts';
import { type ReportBefore, reportBefore, testsInReport } from './reports/readReport.ts';
import type { Check, CheckProgress, CheckResult } from './types.ts';

export type KnownFacts = Pick<ChecksRun, 'isUnchanged' | 'key' | 'demand' | 'memory' | 'changedByOthers' | 'waitedFor'>;

export interface ChecksRun {
  readonly checks: readonly Check[];
  /** No file is known to have changed since the session began. */
  readonly isUnchanged: boolean;
  /** What passes are remembered by; null when none is. */
  readonly key: string | null;
  readonly demand: Demand;
  readonly memory: ChecksMemory;
  /** Files changed, but this session called no tool that can change files. */
  readonly changedByOthers: boolean;
  /** Runs of other sessions that it waited for: their failures on the same files count without another run. */
  readonly waitedFor: ReadonlySet<string>;
  readonly processes: ProcessRunner;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** No check may run past this time: the host would discard the verdict. */
  readonly deadlineAt: number;
  /** What ends then: the hook's own timeout, or the time budget, after which no stop is blocked. */
  readonly deadlineOf: 'hook' | 'budget';
  /** Marks the processes that the folder's checks start. */
  readonly mark: string;
  readonly signal: AbortSignal;
  readonly onCheck?: ((progress: CheckProgress) => void) | undefined;
  /** Called with processes that a check left running, after they were ended. */
  readonly onLeftovers?: (check: Check, leftovers: readonly Leftover[]) => void;
}

const OUTPUT_BYTES = 512 * 1024;
/** Less time than this is not worth starting a check for. */
const SHORTEST_RUN_MS = 1_000;

/** Runs one check after the other: they share a build folder, ports and the processor. */
export async function runChecks(run: ChecksRun): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of run.checks) {
    if (run.signal.aborted) break;
    const result = (await alreadyKnown(check, run)) ?? (await runOne(check, run));
    run.onCheck?.({ name: check.name, state: result.type });
    results.push(result);
  }
  return results;
}

/** The result of one check in a copy of its project; it does not count when the check changed its own script there. */
export async function runInCopy(
  check: Check,
  copy: Pick<FrozenPlace, 'place' | 'isIntact'>,
  run: Omit<ChecksRun, 'checks' | 'key'>,
): Promise<CheckResult> {
  const [result] = await runChecks({ ...run, key: null, checks: [await copy.place(check)] });
  const failed = (how: string): CheckResult => ({ type: 'failed', check, how, output: '' });
  if (result === undefined) return failed('was interrupted');
  const isIntact = result.type !== 'passed' || copy.isIntact();
  return isIntact ? { ...result, check } : failed('changed its own script while it ran, so its result does not count');
}

/** The result if it is known without a run, else null. */
export async function alreadyKnown(
  check: Check,
  { isUnchanged, key, demand, memory, changedByOthers, waitedFor }: KnownFacts,
): Promise<CheckResult | null> {
  if (check.when === 'always') return null;
  if (!runsUnchanged(check.when, demand)) {
    if (isUnchanged) return { type: 'nothingChanged', check };
    if (changedByOthers) return { type: 'changedByOthers', check };
  }
  if (key === null) return null;
  if (await memory.hasPassed(check, key)) return { type: 'remembered', check };
  const failure = waitedFor.size === 0 ? null : await memory.failureOf(check, key, waitedFor);
  return failure && { type: 'failed', check, ...failure };
}

async function runOne(check: Check, run: ChecksRun): Promise<CheckResult> {
  const leftMs = run.deadlineAt - run.clock.now();
  if (leftMs < SHORTEST_RUN_MS) return tooLate(check, run, { what: 'was not run', started: false });
  run.onCheck?.({ name: check.name, state: 'running' });
  const { file, args, cwd } = check;
  const timeoutMs = Math.min(check.timeoutMs, leftMs);
  const env = { ...run.env, [INSIDE_CHECK]: '1', [MARKS.check]: run.mark };
  const limits = { timeoutMs, signal: run.signal, maxOutputBytes: OUTPUT_BYTES };
  const before = reportBefore(check);
  const started = run.processes.start({ file, args, cwd, env, input: '', ...limits });
  const end = await started.ended;
  await endWhatItLeft(check, run, started.pid);
  // by our deadline, not by its own
  if (end.type === 'timedOut' && timeoutMs < check.timeoutMs) {
    const what = `did not finish within ${formatSeconds(timeoutMs)} and was ended`;
    return tooLate(check, run, { what, started: true, output: outputOf(end) });
  }
  const ran = runOf(end, run.clock);
  if (end.type === 'exited' && end.code === 0) return { type: 'passed', check, durationMs: end.durationMs, ran };
  return {
    type: 'failed',
    check,
    how: howItEnded(end, check),
    output: outputOf(end),
    found: foundIn(end, check, before),
    ran,
  };
}

/** What failed, for a comparison with another run. A crash is like nothing else. */
function foundIn(end: ProcessEnd, check: Check, before: ReportBefore): Found {
  if (end.type !== 'exited') return 'it did not end by itself';
  const { code, stdout, droppedBytes } = end;
  const tests = testsInReport(check, before, stdout);
  return failureSet({ code, output: outputOf(end), isCut: droppedBytes > 0, folder: check.folder, tests });
}

/** Counts as a failure unless the budget ended: otherwise a check that takes longer than the hook could never block. */
export function tooLate(
  check: Check,
  { deadlineOf }: Pick<ChecksRun, 'deadlineOf'>,
  { what, started, output = '' }: { readonly what: string; readonly started: boolean; readonly output?: string },
): CheckResult {
  if (deadlineOf === 'budget') return { type: 'outOfTime', check, started };
  const how = `${what}: the stop hook has no more time, although the check may take ${formatSeconds(check.timeoutMs)}. Run \`stopgate init\` again to give the hook more`;
  return { type: 'failed', check, how, output };
}

async function endWhatItLeft(check: Check, run: ChecksRun, group: number | undefined): Promise<void> {
  const { mark: value, clock, onLeftovers } = run;
  const leftovers = await endLeftovers({ mark: MARKS.check, value, group, clock });
  if (leftovers.length > 0) onLeftovers?.(check, leftovers);
}

const runOf = (end: ProcessEnd, clock: Clock): CheckRun => ({
  exitCode: end.type === 'exited' ? end.code : null,
  durationMs: end.type === 'notStarted' ? 0 : Math.round(end.durationMs),
  endedAt: new Date(wallNow(clock)).toISOString(),
});

function howItEnded(end: ProcessEnd, check: Check): string {
  if (end.type === 'notStarted') return `could not be started: ${end.error}`;
  const after = `after ${formatDuration(end.durationMs)}`;
  if (end.type === 'timedOut') return `did not end within ${formatDuration(check.timeoutMs)} and was ended`;
  if (end.type === 'aborted') return `was interrupted ${after}`;
  return end.type === 'exited' ? `exited ${end.code} ${after}` : `was ended by ${end.signal} ${after}`;
}

function outputOf(end: ProcessEnd): string {
  if (end.type === 'notStarted') return '';
  return [end.stdout, end.stderr].filter((text) => text.trim() !== '').join('\n');
}
