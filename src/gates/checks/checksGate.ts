import type { Clock } from '../../system/clock.ts';
import type { ProcessRunner } from '../../system/processes.ts';
import type { GateAnswer } from '../gate.ts';
import { decideChecks } from './decideChecks.ts';
import type { ChecksMemory } from './memory.ts';
import { runChecks } from './runChecks.ts';
import type { Check, CheckResult, DefinitionOfDone, SessionChecks } from './types.ts';
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
  const decision = decideChecks({ results, digest, digestAfter, session, limits: done });
  // a pass counts for the files that were checked: when they changed meanwhile, nobody knows which those were
  const passed = digest !== null && digest === digestAfter ? passedOf(results) : [];
  const forgotten = await remember(memory, { passed, digest: digest ?? '', session: decision.session });
  const late = notRunNote(results);
  const notes = [late, forgotten].filter((note) => note !== null);
  if (decision.type === 'block') return { type: 'block', reason: blockReason(decision, results), notes };
  return { type: 'pass', notes: decision.type === 'pass' ? notes : [...notes, letGoNote(decision)] };
}

interface ToRemember {
  readonly passed: readonly Check[];
  readonly digest: string;
  readonly session: SessionChecks;
}

/** A verdict that cannot be remembered is a verdict all the same; what went wrong is said. */
async function remember(memory: ChecksMemory, { passed, digest, session }: ToRemember): Promise<string | null> {
  try {
    await memory.rememberPassed(passed, digest);
    await memory.rememberSession(session);
    return null;
  } catch (error) {
    return `Stopgate: what the checks found could not be remembered (${(error as Error).message}), so they run again each time.`;
  }
}

const passedOf = (results: readonly CheckResult[]) =>
  results.flatMap((result) => (result.type === 'passed' ? [result.check] : []));
