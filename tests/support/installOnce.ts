import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_AGAIN_MS = 250;

interface InstallWish<Outcome> {
  /** The file that one process holds while it installs. */
  readonly lock: string;
  readonly limitMs: number;
  /** What is there already; null when it must be installed. */
  find(): Outcome | null;
  install(): Promise<Outcome>;
  /** For one that waited for this process as long as it may. */
  late(holder: number): Outcome;
}

/** Of several processes that want the same program, one installs it and the others wait. */
export async function installOnce<Outcome>({ lock, limitMs, find, install, late }: InstallWish<Outcome>) {
  const until = Date.now() + limitMs;
  for (;;) {
    const found = find();
    if (found !== null) return found;
    if (takes(lock)) {
      try {
        return await install();
      } finally {
        rmSync(lock, { force: true });
      }
    }
    if (Date.now() > until) return late(holderOf(lock));
    await delay(LOOK_AGAIN_MS);
  }
}

/** Two processes may both take the lock of a dead one: then both install, and the second replaces the first's folder. */
function takes(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (!isAlive(holderOf(lock))) rmSync(lock, { force: true });
    return false;
  }
}

function holderOf(lock: string): number {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
