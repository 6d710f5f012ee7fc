import type { Worker } from '../../store/types.ts';
import type { FleetFacts } from '../decisions/fleetFacts.ts';
import type { CoordinatorWorld } from './coordinatorWorld.ts';
import type { FleetMemory } from './fleetMemory.ts';
import type { FleetSettings } from './fleetSettings.ts';

/** What carrying out an action needs. */
export interface ActionContext {
  readonly settings: FleetSettings;
  readonly world: CoordinatorWorld;
  readonly memory: FleetMemory;
  readonly facts: FleetFacts;
  readonly workers: ReadonlyMap<string, Worker>;
  /** Runs the next tick soon: something has just changed. */
  wake(): void;
}
