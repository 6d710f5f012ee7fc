import type { GateDecision } from '../schemas/ledger.ts';
import type { GateEnding } from '../stop/ending.ts';
import { recordDecision, runEntry } from '../stop/ledger.ts';
import { decideRunEnding, ledgerEnding, NO_WORK_WORDS, type RunEnding } from '../stop/runEnding.ts';
import { describeLeftovers, type Leftover } from '../system/leftovers.ts';
import { MARKS } from '../system/marks.ts';
import { redactSecrets } from '../system/redactSecrets.ts';
import { secretValues } from '../system/secretPolicy.ts';
import type { World } from '../system/world.ts';
import type { KeptWork } from './keepWork.ts';
import type { LaunchReport } from './launchReport.ts';
import { launchSession } from './recordLaunch.ts';

/** What was observed of an agent that ended by itself. */
export interface SeenRun {
  readonly left: readonly Leftover[];
  /** Null when its output does not show it. */
  readonly answered: boolean | null;
  readonly calledTools: boolean | null;
}

type Report = Pick<LaunchReport, 'id' | 'agent' | 'folder' | 'how' | 'why' | 'kept' | 'commitCount' | 'usedMs'>;

export interface EndFacts {
  readonly report: Report;
  readonly seen: SeenRun;
  readonly checks: GateEnding;
  /** The launch's own part of the ledger. */
  readonly own: readonly GateDecision[];
  readonly world: World;
}

interface EndOfRun extends Pick<LaunchReport, 'how' | 'why' | 'leftRunning'> {
  readonly run: RunEnding;
  /** Sentences about a ledger that cannot be written. */
  readonly notes: readonly string[];
}

/** Whether a finished agent did anything, and whether anything still ran; recorded when it did not just complete. */
export function endOfRun({ report, seen, checks, own, world }: EndFacts): EndOfRun {
  const secrets = secretValues(world.env);
  const found = seen.left.map((one) => ({ ...one, command: redactSecrets(one.command, secrets) }));
  const { how, why } = report;
  // our own agent ends its processes itself, before it is gone
  const reported = own.findLast((one) => one.type === 'run')?.ending;
  const leftRunning = [...(reported?.left ?? []), ...found];
  if (how !== 'finished') return { how, why, leftRunning, run: 'completed', notes: [] };
  const facts = { ...seen, changedFiles: changedFiles(report.kept, report.commitCount) };
  const isLeft = leftRunning.length > 0 || reported?.type === 'left_running';
  const run = decideRunEnding({ ...facts, leftRunning: isLeft });
  if (run === 'completed') return { how, why, leftRunning, run, notes: [] };
  // its own line is there already
  const notes =
    reported?.type === run && found.length === 0 ? [] : record(run, leftRunning, { report, checks, own, world });
  return { how: run, why: WHY[run](leftRunning), leftRunning, run, notes };
}

const WHY: { readonly [Ending in Exclude<RunEnding, 'completed'>]: (left: readonly Leftover[]) => string } = {
  no_work: () => NO_WORK_WORDS,
  left_running: (left) =>
    left.length === 0
      ? 'it ended by itself, and its background work was ended with it'
      : `it ended by itself; ended with it: ${describeLeftovers(left)}`,
};

function changedFiles(kept: KeptWork, commits: number): boolean | null {
  if (commits > 0) return true;
  if (kept.type === 'notKept') return null;
  return kept.type === 'kept' && kept.files + kept.stagedFiles > 0;
}

function record(
  run: Exclude<RunEnding, 'completed'>,
  left: readonly Leftover[],
  { report, checks, own, world }: Omit<EndFacts, 'seen'>,
): readonly string[] {
  const { id, agent, folder } = report;
  const last = own.at(-1);
  const entry = {
    entry: runEntry(ledgerEnding(run, left, checks)),
    folder: last?.folder ?? folder,
    payload: { session_id: last?.session ?? launchSession(id) },
  };
  const env = { ...world.env, [MARKS.launch]: id };
  return recordDecision(entry, { ...world, env, hostPid: null, asker: { name: agent } });
}
