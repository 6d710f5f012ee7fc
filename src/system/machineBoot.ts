import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { attempt } from './attempt.ts';

/** Milliseconds since boot, the same for all processes; setting the clock does not change it. */
export const sinceBootMs = (): number => uptime() * 1000;

let known: string | null | undefined;

/** Identifies one boot of this machine; null except on Linux. */
export function bootId(): string | null {
  if (known === undefined) {
    known = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || null, null);
  }
  return known;
}
