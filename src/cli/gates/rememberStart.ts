import type { Payload } from '../../hosts/callers.ts';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import type { GateWorld } from './gateWorld.ts';
import { openChecks } from './openChecks.ts';

/** Remembers how the files were when a session began: one that changes nothing is not held to anything. */
export async function rememberStart(file: string, payload: Payload, world: GateWorld): Promise<void> {
  const processes = world.processes ?? spawnProcesses({ env: world.env });
  const opened = await openChecks(file, payload, { ...world, processes });
  if (opened.type === 'none') return;
  const known = await opened.memory.session();
  // a resumed session has its beginning behind it
  if (known.baseline === null) await opened.memory.rememberSession({ ...known, baseline: await opened.digest() });
}
