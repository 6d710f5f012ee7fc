import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** Milliseconds since this machine started, the same for all its processes, whatever its clock is set to. */
export const sinceBootMs = (): number => uptime() * 1000;

let known: string | null | undefined;

/** Names one start of this machine; null where the system does not tell (only Linux does). */
export function bootId(): string | null {
  if (known === undefined) {
    try {
      known = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || null;
    } catch {
      known = null;
    }
  }
  return known;
}
