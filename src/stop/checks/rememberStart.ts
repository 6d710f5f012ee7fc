import { homedir } from 'node:os';
import path from 'node:path';
import { openGit } from '../../git/git.ts';
import { type FoundWorkTree, findWorkTree } from '../../git/workTree.ts';
import type { GateDecision } from '../../schemas/ledger.ts';
import type { SessionChecks } from '../../schemas/sessionChecks.ts';
import { claudeConfigDir } from '../../session/settings/settingsFiles.ts';
import { readTextFileSync } from '../../system/readTextFile.ts';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import { type FreezeWorld, freeze } from '../frozen/freeze.ts';
import type { Frozen } from '../frozen/frozen.ts';
import { readFrozen, writeFrozen } from '../frozen/frozenFile.ts';
import { type Payload, sessionIdOf } from '../payload.ts';
import { readDecisions } from '../readLedger.ts';
import { type ArmedStart, armedNames, configuredChecks } from '../sinceStart.ts';
import { readStart, writeStart } from '../startFile.ts';
import type { GateWorld } from '../world.ts';
import { whyChecksDoNotFit } from './hookTime.ts';
import { checksMemory } from './memory.ts';
import { openChecks } from './openChecks.ts';
import { NOTHING_RAN, sessionBaseline } from './sessionBaseline.ts';
import type { Check, CheckedState, DefinitionOfDone } from './types.ts';

/**
 * Remembers the files at the start of a session: a question that changes nothing is not held to any check. Returns notes for
 * people.
 */
export async function rememberStart(file: string, payload: Payload, world: GateWorld): Promise<readonly string[]> {
  const folder = path.dirname(file);
  const inherited = await inheritedStart(folder, payload, world);
  const processes = world.processes ?? spawnProcesses({ env: world.env });
  const before = await frozenBefore(folder, payload, world);
  const opened = await openChecks(file, payload, { ...world, processes, before });
  if (opened.type === 'none') return opened.ending.why === 'changedSinceTrusted' ? opened.notes : [];
  let workTree: Promise<FoundWorkTree> | undefined;
  let state: Promise<CheckedState> | undefined;
  const begins = {
    ...{ done: opened.done, before },
    workTree: () => (workTree ??= findWorkTree(openGit({ ...world, processes }), path.dirname(opened.done.file))),
    state: () => (state ??= opened.state(begins.workTree())),
  };
  await rememberArmed(file, begins, payload, { ...world, processes });
  const notes = world.trusted ? [] : hookTimeNotes(opened.done.checks, folder, world.env);
  const memory = await opened.memory.session();
  // the model may have lost what it was sent before a compaction
  const known = payload.source === 'compact' ? { ...memory, sent: {} } : memory;
  if (known !== memory) await opened.memory.rememberSession(known);
  // a resumed session began earlier
  if (known.baseline !== null) return notes;
  if (inherited !== null) {
    await opened.memory.rememberSession({ ...known, ...inherited });
    return notes;
  }
  // a session that began before Stopgate watched it may have caused what fails now
  const isNew = payload.source === undefined || payload.source === 'startup';
  const { began, notes: ofChecks, ran } = isNew ? await sessionBaseline(opened, { ...world, processes }) : NOTHING_RAN;
  const start = await beginning(ran ? opened.state : begins.state);
  await opened.memory.rememberSession({ ...known, ...start, began });
  return [...notes, ...ofChecks];
}

/** Remembers where the work of a task begins, whose session has no start of its own: for the diff in its receipt. */
export async function rememberBase(sessionId: string, { file }: ArmedStart, base: WorkBase): Promise<void> {
  if (file === null || base.commit === undefined) return;
  const memory = checksMemory({ stopgateHome: base.stopgateHome, folder: path.dirname(file), sessionId });
  await memory.rememberSession({ ...(await memory.session()), startCommit: base.commit });
}

interface WorkBase {
  /** Undefined where it is not known. */
  readonly commit: string | undefined;
  readonly stopgateHome: string;
}

/** A definition of done as its session begins; the state of the files is read once. */
interface Begins {
  readonly done: DefinitionOfDone;
  readonly before: Frozen | null;
  readonly workTree: () => Promise<FoundWorkTree>;
  readonly state: () => Promise<CheckedState>;
}

/** Not again after a compaction; but people may edit the checks before they resume a session. */
async function rememberArmed(
  file: string,
  { done, before, workTree, state }: Begins,
  payload: Payload,
  world: GateWorld & FreezeWorld,
): Promise<void> {
  const session = sessionIdOf(payload) ?? '';
  if (payload.source === 'compact' && readStart(world.stopgateHome, session) !== null) return;
  const configured = configuredChecks({ type: 'config', done });
  const start = writeStart(world.stopgateHome, session, { file, checks: armedNames(done), configured });
  const keep = async () => {
    const earlier = (await readFrozen(world.stopgateHome, session)) ?? before;
    const now = () => freeze(done, { workTree: workTree(), tree: async () => (await state()).tree }, world);
    await writeFrozen(world.stopgateHome, session, earlier ?? (await now()));
  };
  // a write waits for the disk, while other processes read the state of the files
  await Promise.all([start, keep()]);
}

/** What the session before a `/clear` or a fork began with. */
const frozenBefore = (folder: string, payload: Payload, world: GateWorld): Promise<Frozen | null> =>
  readFrozen(world.stopgateHome, earlierSession(folder, payload, world));

/** A note when the stop hook, as wired in Claude Code, ends before the checks may: its settings can be older than they are. */
function hookTimeNotes(checks: readonly Check[], folder: string, env: GateWorld['env']): readonly string[] {
  const wired = wiredStopSeconds(env.CLAUDE_PROJECT_DIR || folder, env);
  const why = wired === null ? null : whyChecksDoNotFit(checks, wired);
  return why === null ? [] : [`Stopgate: ${why}`];
}

const LARGEST_SETTINGS = 1_000_000;

/** The timeout of our stop hook in Claude Code's settings; null when it is in none of them. */
function wiredStopSeconds(projectDir: string, env: GateWorld['env']): number | null {
  const places = [
    path.join(projectDir, '.claude', 'settings.local.json'),
    path.join(projectDir, '.claude', 'settings.json'),
    path.join(claudeConfigDir({ homeDir: env.HOME || homedir(), env }), 'settings.json'),
  ];
  const seconds = places.flatMap((file) => {
    const read = readTextFileSync(file, LARGEST_SETTINGS);
    const entries = read.type === 'read' ? read.text.matchAll(/ hook stop --timeout (\d+)[^\n]*# stopgate/g) : [];
    return [...entries].map(([, text]) => Number(text));
  });
  return seconds.length === 0 ? null : Math.max(...seconds);
}

type Beginning = Pick<SessionChecks, 'baseline' | 'startCommit' | 'continues'> & Partial<Pick<SessionChecks, 'began'>>;

async function beginning(state: () => Promise<CheckedState>): Promise<Beginning> {
  const { files, head } = await state();
  return { baseline: files, startCommit: head, continues: false };
}

/** The files at the start of the session before a `/clear` or a fork. */
async function inheritedStart(folder: string, payload: Payload, world: GateWorld): Promise<Beginning | null> {
  const { stopgateHome } = world;
  const before = earlierSession(folder, payload, world);
  if (before === null) return null;
  const { baseline, startCommit, began } = await checksMemory({ stopgateHome, folder, sessionId: before }).session();
  return baseline === null ? null : { baseline, startCommit, began, continues: true };
}

export interface BeginningSession extends Pick<GateDecision, 'session' | 'folder' | 'hostPid'> {
  /** Why it began, as the host reports it: `startup`, `clear`, `fork`, `resume`, … */
  readonly source: unknown;
}

/** Sources of a session that continues the work of another one. */
const CONTINUES = new Set<unknown>(['clear', 'fork', 'resume']);

/** The ledger is read only for a session that continues another one. */
function earlierSession(folder: string, payload: Payload, { stopgateHome, hostPid }: GateWorld): string | null {
  const beginning = { session: sessionIdOf(payload) ?? '', folder, hostPid, source: payload.source };
  return CONTINUES.has(payload.source) ? sessionBefore(beginning, readDecisions(stopgateHome, { folder })) : null;
}

/**
 * The session whose start counts for this one: what a session broke before a `/clear` is not the new one's starting point. No host
 * names it: it ran in the same process, or a fork in a new process continues the folder's latest session. Null: there is none.
 */
export function sessionBefore(
  { session, folder, hostPid, source }: BeginningSession,
  seen: readonly Omit<BeginningSession, 'source'>[],
): string | null {
  if (!CONTINUES.has(source)) return null;
  const others = seen.filter((one) => one.folder === folder && one.session !== session && one.session !== '');
  const sameProcess = others.findLast((one) => hostPid !== null && one.hostPid === hostPid);
  return (sameProcess ?? (source === 'fork' ? others.at(-1) : undefined))?.session ?? null;
}
