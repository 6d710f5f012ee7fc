import type { Payload } from '../../hosts/callers.ts';
import { configOf } from './configOf.ts';
import type { GateWorld } from './gateWorld.ts';

/** Remembers how the files were when a session began: one that changes nothing is not held to anything. */
export async function rememberStart(payload: Payload, world: GateWorld): Promise<void> {
  const file = configOf(payload, world.env);
  if (file === null) return;
  const { openChecks } = await import('./openChecks.ts');
  const opened = await openChecks(file, payload, world);
  if (opened.type === 'none') return;
  const known = await opened.memory.session();
  // a resumed session has its beginning behind it
  if (known.baseline === null) await opened.memory.rememberSession({ ...known, baseline: await opened.digest() });
}
