import type { Store, Unavailable, Worker } from '../../store/types.ts';
import type { Clock } from '../../system/clock.ts';
import type { DetachedStart } from '../../system/detachedProcess.ts';
import type { HostRoomFacts, HostShortage } from '../decisions/hostRoom.ts';
import type { ProcessSight } from '../decisions/liveness.ts';
import type { FleetEvent } from './fleetEvent.ts';

/** A worker's process as recorded in the store. */
export type WorkerProcess = Pick<Worker, 'id' | 'incarnation' | 'pid' | 'pidStart'>;

/** What only the worker's own host can see and do. */
export interface WorkerProcesses {
  /** Of a worker that this fleet started, including its child processes. */
  sight(process: WorkerProcess): ProcessSight;
  /** Of a worker that this fleet did not start: its process alone. */
  strangerSight(process: WorkerProcess): ProcessSight;
  /** SIGTERM, once: a worker then lets its agent finish and ends. */
  drain(process: WorkerProcess): void;
  /** SIGTERM, then SIGKILL; false when part of it is still there after that. Never rejects. */
  end(process: WorkerProcess, graceMs: number): Promise<boolean>;
}

/** The effects that a coordinator needs. */
export interface CoordinatorWorld {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: () => number;
  readonly processes: WorkerProcesses;
  /** Starts its process without waiting for it; the worker registers itself. */
  startWorker(slot: string, incarnation: number): Promise<DetachedStart>;
  hostFacts(): Pick<HostRoomFacts, 'freeMemoryBytes' | 'loadPerCore'>;
  /** This coordinator's name; see `leaderName.ts`. */
  readonly holder: string;
  /** Whether a coordinator of this host is gone. */
  isHolderGone(holder: string): boolean;
  /** Whether a coordinator belongs to this host. */
  isHolderHere(holder: string): boolean;
  /** Saves the uncommitted work of a dead worker of this host, before its task goes to another worker. */
  keepLost?(worker: Worker): Promise<void>;
  /**
   * Delivers what was settled on this host while the store was away; called before any worker is judged, because a killed worker may
   * have finished its task. Null when nothing is kept; else how many were delivered, or why none could be.
   */
  deliverKept?(): Promise<number | Unavailable | null>;
  /** Called at every tick: what the host has too little of for a worker that is needed. */
  noteShortage?(shortage: HostShortage | null): void;
  /** The store's time, of which all times in events are. */
  noteTime?(storeNow: number): void;
  emit(event: FleetEvent): void;
}
