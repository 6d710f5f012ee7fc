import path from 'node:path';
import type { Payload } from '../../hosts/callers.ts';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import type { GateWorld } from '../gateWorld.ts';
import { recordDecision } from '../ledger.ts';
import { readLedger } from '../readLedger.ts';
import { saidChecks } from '../sinceStart.ts';
import { sessionIdOf } from '../situation.ts';
import { readStart, writeStart } from '../startFile.ts';
import type { CheckedState } from './checkedState.ts';
import { checksMemory } from './memory.ts';
import { openChecks } from './openChecks.ts';
import { sessionBefore } from './sessionBefore.ts';
import { hookTimeNotes } from './startNotes.ts';
import type { DefinitionOfDone, SessionChecks } from './types.ts';

/**
 * Remembers how the files were when a session began: a question that changes nothing is not held to anything. Returns what a
 * person should know of the checks before they run.
 */
export async function rememberStart(file: string, payload: Payload, world: GateWorld): Promise<readonly string[]> {
  const folder = path.dirname(file);
  const inherited = await inheritedStart(folder, payload, world);
  recordDecision({ event: 'sessionStart', folder, payload, ending: null, startedAt: world.clock.now() }, world);
  const processes = world.processes ?? spawnProcesses({ env: world.env });
  const opened = await openChecks(file, payload, { ...world, processes });
  if (opened.type === 'none') return [];
  await rememberArmed(file, opened.done, payload, world);
  const projectDir = world.env.CLAUDE_PROJECT_DIR || folder;
  const notes = world.trusted ? [] : hookTimeNotes(opened.done.checks, { projectDir, env: world.env });
  const known = await opened.memory.session();
  // a resumed session has its beginning behind it
  if (known.baseline !== null) return notes;
  await opened.memory.rememberSession({ ...known, ...(inherited ?? (await beginning(opened.state))) });
  return notes;
}

/** A session that is compacted has its beginning behind it; between a session and its resumption people may edit. */
async function rememberArmed(file: string, done: DefinitionOfDone, payload: Payload, world: GateWorld): Promise<void> {
  const session = sessionIdOf(payload) ?? '';
  if (payload.source === 'compact' && readStart(world.stopgateHome, session) !== null) return;
  const said = saidChecks({ type: 'config', done });
  await writeStart(world.stopgateHome, session, { file, checks: done.checks.map(({ name }) => name), said });
}

type Beginning = Pick<SessionChecks, 'baseline' | 'startCommit' | 'continues'>;

async function beginning(state: () => Promise<CheckedState>): Promise<Beginning> {
  const { files, head } = await state();
  return { baseline: files, startCommit: head, continues: false };
}

/** The files as the session before a `/clear` or a fork found them. */
async function inheritedStart(folder: string, payload: Payload, world: GateWorld): Promise<Beginning | null> {
  const { stopgateHome, hostPid } = world;
  const { source } = payload;
  if (source === 'startup') return null;
  const session = sessionIdOf(payload) ?? '';
  const before = sessionBefore({ session, folder, hostPid, source }, await readLedger(stopgateHome));
  if (before === null) return null;
  const { baseline, startCommit } = await checksMemory({ stopgateHome, folder, sessionId: before }).session();
  return baseline === null ? null : { baseline, startCommit, continues: true };
}
