/** Durations in milliseconds of virtual time, which begins at 0. */
export interface Scenario {
  readonly seed: number;
  /** Slots: how many may run at the same time. */
  readonly workers: number;
  /** Of these, how many run even without tasks. */
  readonly minWorkers: number;
  /** Idle limits, assigned to the slots in turn; null never stops. */
  readonly idleLimitsMs: readonly (number | null)[];
  readonly startUpMs: number;
  readonly arrivals: Arrivals;
  /** No more tasks after this many, or after this time. */
  readonly maxTasks: number;
  readonly durationMs: number | null;
  readonly lengths: TaskLengths;
  /** Per attempt. */
  readonly failRate: number;
  readonly crashRate: number;
  readonly rateLimit: { readonly everyMs: number; readonly forMs: number } | null;
  readonly tickMs: number;
  /** How a crash is detected: by the process, or only by missing heartbeats. */
  readonly watches: 'processes' | 'heartbeats';
}

export type Arrivals =
  | { readonly type: 'poisson'; readonly perMs: number }
  | { readonly type: 'every'; readonly everyMs: number }
  /** `size` together, at the start and then in each interval. */
  | { readonly type: 'burst'; readonly size: number; readonly everyMs: number | null }
  /** Random, most of them in the afternoon and few at night; `perMs` is the day's mean. */
  | { readonly type: 'daily'; readonly perMs: number }
  /** Ascending. */
  | { readonly type: 'times'; readonly times: Float64Array };

export type TaskLengths =
  | { readonly type: 'fixed'; readonly ms: number }
  | { readonly type: 'exponential'; readonly meanMs: number }
  | { readonly type: 'uniform'; readonly fromMs: number; readonly toMs: number }
  | { readonly type: 'lognormal'; readonly medianMs: number; readonly sigma: number };
