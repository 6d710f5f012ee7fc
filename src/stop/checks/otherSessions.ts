import type { Payload } from '../../hosts/callers.ts';
import type { GateWorld } from '../gateWorld.ts';
import { readLedger } from '../readLedger.ts';
import { sessionIdOf } from '../situation.ts';

/** The sessions that began or stopped in the same folder since this one began, by the gate's own record. */
export async function otherSessions(
  payload: Payload,
  folder: string,
  { stopgateHome, hostPid }: GateWorld,
): Promise<readonly string[]> {
  const session = sessionIdOf(payload);
  const here = (await readLedger(stopgateHome)).filter((one) => one.folder === folder);
  const began = here.findIndex((one) => one.session === session && one.event === 'sessionStart');
  if (began < 0) return [];
  const others = here.slice(began).filter((one) => one.session !== session && one.session !== '');
  // an earlier session of the same process is over
  return [...new Set(others.filter((one) => hostPid === null || one.hostPid !== hostPid).map((one) => one.session))];
}
