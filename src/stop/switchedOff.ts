import { existsSync } from 'node:fs';
import path from 'node:path';
import type { GateWorld } from './world.ts';

/** For all sessions by a file in Stopgate's home, for one by its environment. */
export function isSwitchedOff({ env, stopgateHome }: Pick<GateWorld, 'env' | 'stopgateHome'>): boolean {
  return env.STOPGATE_OFF === '1' || existsSync(path.join(stopgateHome, 'off'));
}
