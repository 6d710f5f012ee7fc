import type { Payload } from '../../hosts/callers.ts';
import type { GateWorld } from './gateWorld.ts';
import { openChecks } from './openChecks.ts';

/** Remembers how the files were when a session began: one that changes nothing is not held to anything. */
export async function rememberStart(payload: Payload, world: GateWorld): Promise<void> {
  const opened = await openChecks(payload, world);
  if (opened.type === 'none') return;
  const known = await opened.memory.session();
  // a resumed session has its beginning behind it
  if (known.baseline === null) await opened.memory.rememberSession({ ...known, baseline: await opened.digest() });
}
