import { ChildGroup } from './childGroup.ts';
import { type Clock, systemClock } from './clock.ts';
import type { ProcessRunner, RunningProcess } from './processes.ts';
import { hasLivingOrphans, hasOrphans, signalGroup } from './processGroup.ts';

const ORPHAN_GRACE_MS = 2000;
const ORPHAN_LOOK_MS = 20;

/** Commands as plain children of this process. */
export function spawnProcesses(clock: Clock = systemClock): ProcessRunner {
  const running = new Set<ChildGroup>();
  /** Groups whose leader ended and left children behind (`server &`): theirs to keep until `endAll`. */
  const orphaned = new Set<number>();

  async function watch(group: ChildGroup): Promise<void> {
    await group.ended;
    running.delete(group);
    for (const id of orphaned) if (!hasOrphans(id)) orphaned.delete(id);
    if (group.pid !== undefined && hasOrphans(group.pid)) orphaned.add(group.pid);
  }

  return {
    start(spec) {
      if (spec.signal?.aborted) return neverStarted();
      const group = new ChildGroup(spec, clock);
      running.add(group);
      void watch(group);
      return group;
    },
    async endAll() {
      for (const group of running) group.end('aborted');
      const orphans = [...orphaned].map((id) => endOrphans(id, clock));
      await Promise.all([...[...running].map((group) => group.ended), ...orphans]);
      orphaned.clear();
    },
  };
}

function neverStarted(): RunningProcess {
  const ended = Promise.resolve({ type: 'aborted', stdout: '', stderr: '', droppedBytes: 0, durationMs: 0 } as const);
  return { pid: undefined, ended };
}

/** Nobody is told when an orphan ends, so this looks, and looks again. */
async function endOrphans(groupId: number, clock: Clock): Promise<void> {
  if (!hasLivingOrphans(groupId)) return;
  signalGroup(groupId, 'SIGTERM');
  const deadline = clock.now() + ORPHAN_GRACE_MS;
  while (hasLivingOrphans(groupId) && clock.now() < deadline) await clock.sleep(ORPHAN_LOOK_MS);
  if (hasLivingOrphans(groupId)) signalGroup(groupId, 'SIGKILL');
}
