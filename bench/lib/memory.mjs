import { readFileSync } from 'node:fs';

/**
 * The most memory this process ever held, in MB. Linux keeps `ru_maxrss` across exec, so a child of a big parent
 * starts with its parent's figure; the mark in /proc is the process's own.
 */
export function peakMemoryMb() {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kilobytes) return Number(kilobytes) / 1024;
  } catch {
    // not Linux
  }
  return process.resourceUsage().maxRSS / 1024;
}
