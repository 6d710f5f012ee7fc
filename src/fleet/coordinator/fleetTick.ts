import type { Worker } from '../../store/types.ts';
import type { FleetFacts } from '../decisions/fleetFacts.ts';
import type { RunEnding } from '../decisions/restartBudget.ts';
import type { CoordinatorWorld } from './coordinatorWorld.ts';
import type { FleetEvent } from './fleetEvent.ts';
import type { FleetMemory } from './fleetMemory.ts';
import type { FleetSettings } from './fleetSettings.ts';
import type { StoreSnapshot } from './storeSnapshot.ts';

/** What gathering the facts of a tick needs. */
export interface FleetTick {
  readonly settings: FleetSettings;
  readonly world: CoordinatorWorld;
  readonly memory: FleetMemory;
  readonly snapshot: StoreSnapshot;
}

/** What carrying out an action needs. */
export interface ActionContext extends FleetTick {
  readonly facts: FleetFacts;
  /** Runs the next tick soon: something has just changed. */
  wake(): void;
}

export const workerNamed = ({ snapshot }: FleetTick, name: string): Worker | undefined =>
  snapshot.workers.find(({ id }) => id === name);

type Emitting = Pick<FleetTick, 'world' | 'memory'>;

/** Emits an event that differs from the last one of its topic; null ends the topic. */
export function emitOnce({ world, memory }: Emitting, topic: string, event: FleetEvent | null): void {
  const text = JSON.stringify(event);
  if (event === null) memory.reported.delete(topic);
  else if (memory.reported.get(topic) !== text) {
    memory.reported.set(topic, text);
    world.emit(event);
  }
}

type EndedWorker = Pick<Worker, 'id' | 'incarnation'> & { readonly exitCode?: number | null };

export function emitEnd({ world, memory }: Emitting, worker: EndedWorker, ending: RunEnding): void {
  const { id, incarnation, exitCode = null } = worker;
  const known = memory.of(id, incarnation);
  known.isEndReported = true;
  const { code = exitCode, signal = null } = known.exit ?? {};
  world.emit({ type: 'ended', worker: id, ending, exitCode: code, signal });
}
