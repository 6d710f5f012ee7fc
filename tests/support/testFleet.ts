import { Coordinator, type CoordinatorEnd } from '../../src/fleet/coordinator/coordinator.ts';
import type { FleetEvent } from '../../src/fleet/coordinator/fleetEvent.ts';
import type { FleetSettings } from '../../src/fleet/coordinator/fleetSettings.ts';
import type { HostShortage } from '../../src/fleet/decisions/hostRoom.ts';
import type { ProcessSight } from '../../src/fleet/decisions/liveness.ts';
import { leaseOf } from '../../src/store/leaseOf.ts';
import { openSqliteStore } from '../../src/store/sqlite/openFile.ts';
import type { NewTask, Store, Worker } from '../../src/store/types.ts';
import type { DetachedEnd } from '../../src/system/detachedProcess.ts';
import { fakeClock } from '../../src/testing/fakeClock.ts';

interface FakeProcess {
  sight: ProcessSight;
  ignoresTerm: boolean;
  ignoresKill: boolean;
  readonly exit: (end: DetachedEnd) => void;
}

export interface RunningFleet {
  readonly coordinator: Coordinator;
  readonly events: FleetEvent[];
  readonly ended: Promise<CoordinatorEnd>;
  /** As by `kill -9`: it does nothing more, and everybody sees that. */
  kill(): void;
}

/** A host with a clock, a store and processes that only do what a test says. */
export class TestFleet {
  readonly clock = jumpingClock();
  readonly store: Store;
  readonly processes = new Map<number, FakeProcess>();
  readonly starts: string[] = [];
  /** Told to drain by a signal. */
  readonly drained: number[] = [];
  /** Set to have every operation fail. */
  outage: string | null = null;
  canStart = true;
  loadPerCore = 0;
  freeMemoryBytes: number | undefined;
  /** As noted at each tick. */
  readonly shortages: (HostShortage | null)[] = [];
  #nextPid = 100;
  #nextHolder = 1;
  readonly #gone = new Set<string>();

  constructor() {
    const opened = openSqliteStore({ path: ':memory:', clock: this.clock, random: () => 0.5 });
    if ('type' in opened) throw new Error(opened.reason);
    this.store = new Proxy(opened, {
      get: (target, name) => {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        const unavailable = async () => ({ type: 'unavailable', cause: 'unreachable', reason: this.outage });
        return (...args: unknown[]) => (this.outage === null ? value.apply(target, args) : unavailable());
      },
    });
  }

  up(more: Partial<FleetSettings> = {}): RunningFleet {
    const holder = `here:${this.#nextHolder++}:1`;
    const events: FleetEvent[] = [];
    const settings: FleetSettings = {
      name: 'f',
      host: 'here',
      queue: 'default',
      types: null,
      kind: 'default',
      accountKey: 'a',
      idleLimitMs: 600_000,
      most: 3,
      least: 0,
      drainTimeoutMs: 600_000,
      reportsActivity: true,
      ...more,
    };
    let isKilled = false;
    const never = new Promise<never>(() => {});
    const coordinator = new Coordinator(settings, {
      store: this.store,
      clock: { now: this.clock.now, sleep: (ms, signal) => (isKilled ? never : this.clock.sleep(ms, signal)) },
      random: () => 0.5,
      processes: {
        sight: ({ pid }) => this.#sight(pid),
        strangerSight: ({ pid }) => this.#sight(pid),
        drain: ({ pid }) => void this.drained.push(pid ?? 0),
        end: ({ pid }, graceMs) => this.#end(pid ?? 0, graceMs),
      },
      startWorker: async (slot, incarnation) => {
        if (!this.canStart) return { type: 'notStarted', reason: 'there is no such executable' };
        this.starts.push(`${slot}#${incarnation}`);
        return { type: 'started', ...this.process() };
      },
      hostFacts: () => ({ loadPerCore: this.loadPerCore, freeMemoryBytes: this.freeMemoryBytes }),
      noteShortage: (shortage) => void this.shortages.push(shortage),
      holder,
      isHolderGone: (other) => this.#gone.has(other),
      isHolderHere: (other) => other.startsWith('here:'),
      emit: (event) => void events.push(event),
    });
    const ended = coordinator.run();
    const kill = () => {
      isKilled = true;
      this.#gone.add(holder);
    };
    return { coordinator, events, ended, kill };
  }

  process() {
    const pid = this.#nextPid++;
    const { promise: ended, resolve: exit } = Promise.withResolvers<DetachedEnd>();
    this.processes.set(pid, { sight: 'running', ignoresTerm: false, ignoresKill: false, exit });
    return { pid, pidStart: '1', ended };
  }

  #sight(pid: number | null): ProcessSight {
    return pid === null ? 'unknown' : (this.processes.get(pid)?.sight ?? 'gone');
  }

  async #end(pid: number, graceMs: number): Promise<boolean> {
    const process = this.processes.get(pid);
    if (!process || process.sight === 'gone') return true;
    if (process.ignoresTerm) await this.clock.sleep(graceMs);
    if (process.ignoresKill) return false;
    this.exits(pid, null);
    return true;
  }

  exits(pid: number, code: number | null): void {
    const process = this.processes.get(pid);
    if (!process) throw new Error(`no process ${pid}`);
    process.sight = 'gone';
    process.exit({ code, signal: code === null ? 'SIGKILL' : null });
  }

  async add(...tasks: (string | NewTask)[]): Promise<string[]> {
    const added = await this.store.addTasks({
      tasks: tasks.map((task) => (typeof task === 'string' ? { title: task } : task)),
    });
    if (added.type !== 'added') throw new Error(JSON.stringify(added));
    return added.tasks.map(({ id }) => id);
  }

  async worker(id: string): Promise<Worker> {
    const listed = await this.store.workers({ workerId: id });
    const worker = listed.type === 'workers' ? listed.workers[0] : undefined;
    if (!worker) throw new Error(`no worker ${id}`);
    return worker;
  }

  /** What a worker does first; its process and where it is are known from its start. */
  async registers(id: string): Promise<Worker> {
    const { incarnation } = await this.worker(id);
    const outcome = await this.store.registerWorker({ workerId: id, incarnation });
    if (outcome.type !== 'registered') throw new Error(JSON.stringify(outcome));
    return this.worker(id);
  }

  async claims(id: string): Promise<Worker> {
    const { incarnation } = await this.worker(id);
    const outcome = await this.store.claim({ workerId: id, incarnation, claimKey: `${id} ${this.clock.now()}` });
    if (outcome.type !== 'claimed') throw new Error(JSON.stringify(outcome));
    return this.worker(id);
  }

  /** As the first hook of its agent does. */
  async bindsSession(id: string): Promise<void> {
    const { incarnation } = await this.worker(id);
    await this.store.updateWorker({ workerId: id, incarnation, sessionId: `session of ${id}` });
  }

  async completes(id: string): Promise<void> {
    const lease = leaseOf(await this.worker(id));
    if (lease) await this.store.complete({ lease, result: 'ok' });
  }

  /** Moves time on in small steps, with beats of these workers. */
  async pass(ms: number, beating: readonly string[] = []): Promise<void> {
    for (let moved = 0; moved < ms; moved += 1_000) {
      if (moved % 15_000 === 0) for (const id of beating) await this.beats(id);
      await this.clock.advance(Math.min(1_000, ms - moved));
    }
  }

  async beats(id: string, more = {}): Promise<void> {
    const { incarnation } = await this.worker(id);
    await this.store.heartbeat({ workerId: id, incarnation, ...more });
  }
}

/** A fake clock that can also sleep: time passes, and nobody has been awake. */
function jumpingClock() {
  const clock = fakeClock(Date.UTC(2026, 10, 15, 12));
  let jumpedMs = 0;
  return {
    ...clock,
    now: () => clock.now() + jumpedMs,
    wall: () => clock.now() + jumpedMs,
    sinceBoot: () => null,
    jump: (ms: number) => {
      jumpedMs += ms;
    },
  };
}
