import { stat } from 'node:fs/promises';
import path from 'node:path';
import { backupFolder } from '../../../background/dream/applyDream.ts';
import { readDreamState } from '../../../background/dream/dreamStateFile.ts';
import { backgroundLimits } from '../../../background/governor/limits.ts';
import { readRunLog, runLogFile } from '../../../background/governor/runLog.ts';
import { decideSwitches, recallsMemory } from '../../../background/governor/switches.ts';
import { memoryFolder, readMemories } from '../../../background/memory/memoryFolder.ts';
import { type BackgroundRun, TASK_KINDS } from '../../../schemas/backgroundRuns.ts';
import type { GateDecision } from '../../../schemas/ledger.ts';
import type { LoadedSettings } from '../../../session/settings/types.ts';
import { projectSessionsDir } from '../../../session/transcript/sessionFiles.ts';
import type { FolderTrust } from '../../../session/trust/folderTrust.ts';
import { describeArmed } from '../../../stop/armed.ts';
import { readBaseline } from '../../../stop/checks/baseline.ts';
import { readConfigFile } from '../../../stop/checks/readConfig.ts';
import { errorEnding } from '../../../stop/ending.ts';
import { KILLED, killedStops, type LastStop } from '../../../stop/lastStop.ts';
import { recordedEnding } from '../../../stop/ledger.ts';
import { readDecisions } from '../../../stop/readLedger.ts';
import { wallNow } from '../../../system/clock.ts';
import type { World } from '../../../system/world.ts';
import { agentFiles } from '../../wiring/agentFiles.ts';
import { gatherHooks } from '../../wiring/configuredHooks.ts';
import { switchFacts } from '../../wiring/gatherBackground.ts';
import { gatherArmed } from '../../wiring/ownGates.ts';
import { projectTrust, readSettings } from '../../wiring/readSettings.ts';
import { describeListed, entryJson, listed } from '../baseline/baselineText.ts';
import { gateSessions } from './gateStatus.ts';

export type Status = Awaited<ReturnType<typeof gatherStatus>>;

/** The stop checks and background work of this folder or of all: what applies now, and what was recorded. */
export async function gatherStatus(world: World, options: { readonly all: boolean }) {
  const trust = projectTrust({ trustProject: false }, world);
  const settings = await readSettings({}, world, trust);
  const facts = switchFacts(settings, world, false);
  const switches = decideSwitches(facts);
  const { limits, warnings } = backgroundLimits(facts.env);
  const recorded = await readRunLog(world.stopgateHome);
  const runs = recorded.filter(({ project }) => options.all || project === world.cwd);
  return {
    project: world.cwd,
    log: runLogFile(world.stopgateHome),
    tasks: TASK_KINDS.map((task) => {
      const { on, reason } = switches[task];
      return { task, on, why: reason, ...summed(runs.filter((run) => run.task === task)) };
    }),
    // newest first
    runs: runs.toReversed(),
    memory: { ...(await memoryStatus(world)), recalled: recallsMemory(facts) },
    gate: await gateStatus(world, options.all),
    trust: await trustStatus(world, trust, settings),
    limits,
    warnings,
  };
}

/** What of the project's own files is off, because it is not as a person approved it. */
async function trustStatus(world: World, trust: FolderTrust, settings: LoadedSettings) {
  const { agents } = await agentFiles(world, trust);
  const { leftOut } = gatherHooks({ settings, trust, world, bare: false, agents });
  return { level: trust.level, leftOut };
}

async function gateStatus(world: World, all: boolean) {
  const armed = await gatherArmed(world, { trustProject: false, off: null });
  const folder = armed.file === null ? world.cwd : path.dirname(armed.file);
  const killed = killedStops(world.stopgateHome).filter((one) => all || one.folder === folder);
  const shown = [...readDecisions(world.stopgateHome, all ? {} : { folder }), ...killed.map(asDecision)];
  const config = armed.file === null ? null : await readConfigFile(armed.file);
  const checks = config?.type === 'config' ? config.done.checks : [];
  const entries = await readBaseline(world.stopgateHome, folder);
  const now = wallNow(world.clock);
  const accepted = entries
    .map((entry) => listed(entry, checks, now))
    .map((row) => ({ ...entryJson(row), words: describeListed(row, now) }));
  return { armed: describeArmed(armed), accepted, sessions: gateSessions(shown) };
}

/** A stop that its own process could not record. */
function asDecision({ session, folder, at }: LastStop): GateDecision {
  const unknown = { agent: 'unknown', hostPid: null, launch: null, worker: null, durationMs: 0 };
  return { ...unknown, type: 'stop', session, folder, at, ending: recordedEnding(errorEnding(KILLED)) };
}

function summed(runs: readonly BackgroundRun[]) {
  const count = (...outcomes: BackgroundRun['outcome'][]) =>
    runs.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    ran: count('ran'),
    skipped: count('skipped', 'superseded'),
    failed: count('failed', 'cancelled'),
    ...spentBy(runs),
    last: runs.at(-1) ?? null,
  };
}

interface Spent {
  readonly requests: number;
  readonly tokens: number;
  /** Null when some request had no known price. */
  readonly costUsd: number | null;
}

export function spentBy(all: readonly Spent[]): Spent {
  const sum = (pick: (one: Spent) => number) => all.reduce((total, one) => total + pick(one), 0);
  return {
    requests: sum(({ requests }) => requests),
    tokens: sum(({ tokens }) => tokens),
    costUsd: all.some(({ costUsd }) => costUsd === null) ? null : sum(({ costUsd }) => costUsd ?? 0),
  };
}

async function memoryStatus({ stopgateHome, cwd }: World) {
  const folder = memoryFolder(projectSessionsDir(stopgateHome, cwd));
  const backup = backupFolder(folder);
  const [memories, dream, kept] = await Promise.all([
    readMemories(folder),
    readDreamState(folder),
    stat(backup).catch(() => undefined),
  ]);
  return {
    folder,
    facts: memories.length,
    bytes: memories.reduce((sum, { bytes }) => sum + bytes, 0),
    lastDreamAt: dream?.lastDreamAt ? new Date(dream.lastDreamAt).toISOString() : null,
    backup: kept ? backup : null,
  };
}
