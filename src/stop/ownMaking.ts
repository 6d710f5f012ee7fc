import { type NeverBlockCode, OWN_MAKING } from './exemptions.ts';
import { type Payload, sessionIdOf } from './payload.ts';
import { readSession } from './readLedger.ts';
import type { GateWorld } from './world.ts';

const DEFAULT_CAP = 10;

/** Whether such a reason was given so often in a row that it does not count this time; 0 sets no limit. */
export function decideOwnMaking(
  code: NeverBlockCode,
  /** Of earlier stops, oldest first: why each was not checked; null for one that was. */
  before: readonly (string | null)[],
  cap: number,
): boolean {
  if (!OWN_MAKING.has(code) || cap <= 0) return false;
  // a stop that was not checked for another reason says nothing about these
  const counted = before.filter((why) => why === null || OWN_MAKING.has(why as NeverBlockCode));
  return counted.length >= cap && counted.slice(-cap).every((why) => why !== null);
}

/** A note when the checks run although the agent would resume by itself; null when the reason counts. */
export function whyCheckedNow(
  code: NeverBlockCode,
  payload: Payload,
  { env, stopgateHome }: Pick<GateWorld, 'env' | 'stopgateHome'>,
): string | null {
  const set = Number(env.STOPGATE_EXEMPTION_CAP || Number.NaN);
  const cap = Number.isInteger(set) && set >= 0 ? set : DEFAULT_CAP;
  const stops = readSession(stopgateHome, sessionIdOf(payload) ?? '').filter((entry) => entry.type === 'stop');
  const before = stops.map(({ ending }) => (ending.type === 'skipped' ? (ending.why ?? null) : null));
  if (!decideOwnMaking(code, before, cap)) return null;
  return `Stopgate: this session's stops were not checked ${cap} times in a row, so this one is (STOPGATE_EXEMPTION_CAP sets the number).`;
}
