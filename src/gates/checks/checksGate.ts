import type { Clock } from '../../system/clock.ts';
import type { ProcessRunner } from '../../system/processes.ts';
import type { GateAnswer } from '../gate.ts';
import { decideChecks } from './decideChecks.ts';
import type { ChecksMemory } from './memory.ts';
import { runChecks } from './runChecks.ts';
import type { Check, CheckResult, DefinitionOfDone } from './types.ts';
import { blockReason, letGoNote, notRunNote } from './words.ts';

export interface ChecksGate {
  readonly done: DefinitionOfDone;
  readonly memory: ChecksMemory;
  readonly digest: () => Promise<string | null>;
  readonly processes: ProcessRunner;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
  readonly onStart?: (check: Check) => void;
}

/** The definition of done as a gate: gather (digest, memory, runs), decide, remember, answer in words. */
export async function askChecks(gate: ChecksGate): Promise<GateAnswer> {
  const { done, memory, signal } = gate;
  const [digest, session] = await Promise.all([gate.digest(), memory.session()]);
  const results = await runChecks({ ...gate, checks: done.checks, digest, baseline: session.baseline });
  if (signal.aborted) return { type: 'pass', notes: ['Stopgate: interrupted; the checks were not finished.'] };
  const ran = results.some(({ type }) => type === 'passed' || type === 'failed');
  const digestAfter = ran && digest !== null ? await gate.digest() : digest;
  if (digestAfter !== null) await memory.rememberPassed(passedOf(results), digestAfter);
  const decision = decideChecks({ results, digest, digestAfter, session, limits: done });
  await memory.rememberSession(decision.session);
  const late = notRunNote(results);
  const notes = late === null ? [] : [late];
  if (decision.type === 'block') return { type: 'block', reason: blockReason(decision, results), notes };
  return { type: 'pass', notes: decision.type === 'pass' ? notes : [...notes, letGoNote(decision)] };
}

const passedOf = (results: readonly CheckResult[]) =>
  results.flatMap((result) => (result.type === 'passed' ? [result.check] : []));
