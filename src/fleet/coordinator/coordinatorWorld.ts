import type { Store, Worker } from '../../store/types.ts';
import type { Clock } from '../../system/clock.ts';
import type { DetachedStart } from '../../system/detachedProcess.ts';
import type { HostRoomFacts } from '../decisions/hostRoom.ts';
import type { ProcessSight } from '../decisions/liveness.ts';
import type { FleetEvent } from './fleetEvent.ts';

/** A worker's process as the store has it. */
export interface WorkerProcess {
  readonly id: string;
  readonly incarnation: number;
  readonly pid: number | null;
  readonly pidStart: string | null;
}

/** What only a worker's own host can see and do. */
export interface WorkerProcesses {
  /** Of one that this fleet started, with everything it started itself. */
  sight(process: WorkerProcess): ProcessSight;
  /** Of one that somebody else started: its process alone. */
  strangerSight(process: WorkerProcess): ProcessSight;
  /** Politely, then not; false when something of it is still there after that. Never rejects. */
  end(process: WorkerProcess, graceMs: number): Promise<boolean>;
}

/** Everything a coordinator does not decide. */
export interface CoordinatorWorld {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: () => number;
  readonly processes: WorkerProcesses;
  /** Its process, started and not waited for; it registers by itself. */
  startWorker(slot: string, incarnation: number): Promise<DetachedStart>;
  hostFacts(): Pick<HostRoomFacts, 'freeMemoryBytes' | 'loadPerCore'>;
  /** Who this coordinator is; see `leaderName.ts`. */
  readonly holder: string;
  /** Whether another one, of this host, still lives. */
  isHolderGone(holder: string): boolean;
  /** Whether another one runs on this host. */
  isHolderHere(holder: string): boolean;
  /** Keeps what a worker of this host that is gone left uncommitted, before its task goes to another. */
  keepLost?(worker: Worker): Promise<void>;
  tell(event: FleetEvent): void;
}
