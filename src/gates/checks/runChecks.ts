import type { Clock } from '../../system/clock.ts';
import type { ProcessEnd, ProcessRunner } from '../../system/processes.ts';
import { INSIDE_CHECK } from '../neverBlock.ts';
import type { ChecksMemory } from './memory.ts';
import type { Check, CheckResult } from './types.ts';

export interface ChecksRun {
  readonly checks: readonly Check[];
  readonly digest: string | null;
  /** The digest at the session's start; null when nobody looked. */
  readonly baseline: string | null;
  readonly memory: ChecksMemory;
  readonly processes: ProcessRunner;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** No check may run past this moment: the host would throw the verdict away. */
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
  readonly onStart?: (check: Check) => void;
}

const OUTPUT_BYTES = 512 * 1024;
/** Less time than this is not worth starting a check for. */
const SHORTEST_RUN_MS = 1_000;

/** Runs what has to be run, one after the other: checks share a build folder, ports and two cores. */
export async function runChecks(run: ChecksRun): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of run.checks) {
    if (run.signal.aborted) break;
    results.push((await alreadyKnown(check, run)) ?? (await runOne(check, run)));
  }
  return results;
}

async function alreadyKnown(check: Check, { digest, baseline, memory }: ChecksRun): Promise<CheckResult | null> {
  if (check.when === 'always' || digest === null) return null;
  if (digest === baseline) return { type: 'nothingChanged', check };
  return (await memory.hasPassed(check, digest)) ? { type: 'remembered', check } : null;
}

async function runOne(check: Check, run: ChecksRun): Promise<CheckResult> {
  const leftMs = run.deadlineAt - run.clock.now();
  if (leftMs < SHORTEST_RUN_MS) return { type: 'outOfTime', check };
  run.onStart?.(check);
  const { file, args, cwd } = check;
  const timeoutMs = Math.min(check.timeoutMs, leftMs);
  const env = { ...run.env, [INSIDE_CHECK]: '1' };
  const { signal } = run;
  const end = await run.processes.start({
    file,
    args,
    cwd,
    env,
    timeoutMs,
    signal,
    maxOutputBytes: OUTPUT_BYTES,
    input: '',
  }).ended;
  // ended by our own deadline, not by its own: that is not the agent's failure
  if (end.type === 'timedOut' && timeoutMs < check.timeoutMs) return { type: 'outOfTime', check };
  if (end.type === 'exited' && end.code === 0) return { type: 'passed', check, durationMs: end.durationMs };
  return { type: 'failed', check, how: howItEnded(end, check), output: outputOf(end) };
}

function howItEnded(end: ProcessEnd, check: Check): string {
  if (end.type === 'notStarted') return `could not be started: ${end.error}`;
  const after = `after ${(end.durationMs / 1000).toFixed(1)} s`;
  if (end.type === 'timedOut') return `did not end within ${check.timeoutMs / 1000} s and was ended`;
  if (end.type === 'aborted') return `was interrupted ${after}`;
  return end.type === 'exited' ? `exited ${end.code} ${after}` : `was ended by ${end.signal} ${after}`;
}

function outputOf(end: ProcessEnd): string {
  if (end.type === 'notStarted') return '';
  return [end.stdout, end.stderr].filter((text) => text.trim() !== '').join('\n');
}
