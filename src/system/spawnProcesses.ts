import { ChildGroup } from './childGroup.ts';
import type { ChildStarter } from './childStarter.ts';
import { type Clock, endsWithin, systemClock } from './clock.ts';
import { plainStarter } from './plainStarter.ts';
import type { ProcessRunner, RunningProcess } from './processes.ts';
import { hasLivingOrphans, hasOrphans, signalGroup } from './processGroup.ts';
import { HelperStarter } from './spawnHelper/helperStarter.ts';

const ORPHAN_GRACE_MS = 2000;

export interface SpawnOptions {
  readonly clock?: Clock;
  /** The spawn helper's script; without it every command is forked from this process. */
  readonly helperScript?: string | undefined;
  /** Called once, with a sentence, when the helper can no longer be used. */
  readonly onFallback?: (sentence: string) => void;
  /** For `PATH` (to find perl) and `STOPGATE_SPAWN_HELPER` (`0`: no helper). */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface SpawningRunner extends ProcessRunner, AsyncDisposable {
  /** Starts the helper before the first command (about 5 ms); resolves when it is ready or broken. */
  warm(): Promise<void>;
  /**
   * For a part of this process that can end alone: shares the helper, and ends only what it started itself. Ending this runner
   * ends its parts.
   */
  apart(): SpawningRunner;
}

/** Runs commands as real processes, started by a small helper process if there is one. */
export function spawnProcesses(options: SpawnOptions = {}): SpawningRunner {
  const { clock = systemClock, helperScript, onFallback = () => {}, env = process.env } = options;
  const wantsHelper = helperScript !== undefined && env.STOPGATE_SPAWN_HELPER !== '0';
  const helper = wantsHelper ? new HelperStarter({ script: helperScript, path: env.PATH, onFallback }) : undefined;
  const all = runnerOver(helper ?? plainStarter, clock);
  const parts = new Set<ProcessRunner>();
  const runner: SpawningRunner = {
    ...all,
    warm: async () => helper?.warm(),
    apart: () => {
      const part = runnerOver(helper ?? plainStarter, clock);
      parts.add(part);
      const endAll = async () => {
        await part.endAll();
        parts.delete(part);
      };
      return { ...runner, ...part, endAll, [Symbol.asyncDispose]: endAll };
    },
    endAll: async () => {
      await Promise.all([all, ...parts].map((one) => one.endAll()));
      helper?.retire();
    },
    killAll: () => {
      for (const one of [all, ...parts]) one.killAll();
      // a retired helper ends commands whose pid is not known yet
      helper?.retire();
    },
    [Symbol.asyncDispose]: () => runner.endAll(),
  };
  return runner;
}

/** Those of the caller, which go on; or own ones, which end with what needs them. */
export function givenOrOwn(given: ProcessRunner | undefined, options: SpawnOptions): ProcessRunner & AsyncDisposable {
  return given ? { ...given, [Symbol.asyncDispose]: async () => {} } : spawnProcesses(options);
}

function runnerOver(starter: ChildStarter, clock: Clock): ProcessRunner {
  const running = new Set<ChildGroup>();
  /** Groups whose leader ended and left children behind (`server &`); they run until `endAll`. */
  const orphaned = new Set<number>();

  async function watch(group: ChildGroup): Promise<void> {
    await group.ended;
    running.delete(group);
    for (const id of orphaned) if (!hasOrphans(id)) orphaned.delete(id);
    const { pid, mayHaveLeftOthers } = group;
    if (mayHaveLeftOthers && pid !== undefined && hasOrphans(pid)) orphaned.add(pid);
  }

  return {
    start(spec) {
      if (spec.signal?.aborted) return neverStarted();
      const group = new ChildGroup(spec, clock, starter);
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
    killAll() {
      for (const group of running) {
        if (group.pid === undefined) group.end('aborted');
        else signalGroup(group.pid, 'SIGKILL');
      }
      for (const id of orphaned) signalGroup(id, 'SIGKILL');
    },
  };
}

function neverStarted(): RunningProcess {
  const ended = Promise.resolve({ type: 'aborted', stdout: '', stderr: '', droppedBytes: 0, durationMs: 0 } as const);
  return { pid: undefined, ended };
}

async function endOrphans(groupId: number, clock: Clock): Promise<void> {
  if (!hasLivingOrphans(groupId)) return;
  signalGroup(groupId, 'SIGTERM');
  if (await endsWithin(clock, ORPHAN_GRACE_MS, () => hasLivingOrphans(groupId))) return;
  signalGroup(groupId, 'SIGKILL');
}
