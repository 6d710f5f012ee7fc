import type { LandingPlace } from '../../../launch/land/landing.ts';
import type { Places } from '../../../launch/land/remotePlace.ts';
import type { World } from '../../../system/world.ts';
import type { LandingMethod, Review, Store } from '../../wiring/store/openedStore.ts';
import type { WaitingWorld } from '../../wiring/store/taskWorld.ts';
import type { CommonOptions, Flags } from '../task/taskOptions.ts';

export type AcceptOptions = CommonOptions &
  Flags<
    'into' | 'prCommand' | 'prWebhook' | 'queue',
    'merge' | 'rebase' | 'squash' | 'requeue' | 'dryRun' | 'all' | 'pr'
  > & {
    readonly land?: boolean;
  };

/** Work that is about to be accepted, and where it goes. */
export interface AcceptedWork {
  readonly review: Review;
  readonly place: LandingPlace;
  readonly commit: string;
  readonly base: string | undefined;
  readonly method: LandingMethod;
}

/** What every way of accepting needs. */
export interface Accepting {
  readonly store: Store;
  readonly world: World;
  readonly places: Places;
  readonly actor: string;
  readonly options: AcceptOptions;
  readonly out: WaitingWorld;
}
